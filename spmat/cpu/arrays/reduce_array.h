/* Reductions of contiguous values by a monoid, with a cast. */
#ifndef GRID_REDUCE_ARRAY_H
#define GRID_REDUCE_ARRAY_H
#include "semiring/monoid_sums.h"
#include "spmat/vector/bound_operator.h"

typedef struct {
  GrB_Type z, x;       /* of sums, of values */
  grid_copier cast;    /* value -> sum */
  grid_sums_loop loop; /* NULL: the operator is called for each value */
  grid_binary add;     /* sum + value */
  grid_binary combine; /* sum + sum */
  bool any;            /* any one value is the result */
  char *doubled;       /* multiples of one value x, if requested: x, 2x, 4x, ... */
} grid_adder;

/* op has three equal types, to which x can be cast. The caller frees *a, also after an error. */
GrB_Info grid_adder_bind(grid_adder *a, GrB_BinaryOp op, bool any, GrB_Type x);
void grid_adder_free(grid_adder *a);
/* *z = x[0] + ... + x[n - 1], n > 0, in an order that depends on n only. */
void grid_adder_run(const grid_adder *a, void *z, const void *x, uint64_t n);
/* *z += *more, both sums; without has_value: *z = *more. */
static inline void grid_adder_combine(const grid_adder *a, void *z, const void *more, bool has_value) {
  if (has_value)
    grid_binary_apply(&a->combine, z, z, more);
  else
    memcpy(z, more, a->z->size);
}
/* Computes multiples of the value *x up to `most`. Then grid_adder_multiple gives *z = x + ... + x, n > 0
 * times, from few additions. idempotent: x + x = x. */
GrB_Info grid_adder_double(grid_adder *a, const void *x, uint64_t most, bool idempotent);
void grid_adder_multiple(const grid_adder *a, void *z, uint64_t n);
#endif
