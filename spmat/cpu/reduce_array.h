/* reduce_array.h: sums of values that lie one behind the other, by a monoid and with a cast between. */
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
  bool any;            /* one value is as good as all */
  char *doubled;       /* of one value x, if that was asked for: x, 2x, 4x, ... */
} grid_adder;

/* op has three equal types, to which x can be cast. To be freed, also after an error. */
GrB_Info grid_adder_bind(grid_adder *a, GrB_BinaryOp op, bool any, GrB_Type x);
void grid_adder_free(grid_adder *a);
/* *z = x[0] + ... + x[n - 1], n > 0; an order that depends on n alone. */
void grid_adder_run(const grid_adder *a, void *z, const void *x, uint64_t n);
/* *z += *more, both sums; or, without `some`, *z = *more. */
static inline void grid_adder_combine(const grid_adder *a, void *z, const void *more, bool has_value) {
  if (has_value)
    grid_binary_apply(&a->combine, z, z, more);
  else
    memcpy(z, more, a->z->size);
}
/* Multiples of *x, a value, up to `most`: then *z = x + ... + x, n > 0 times, from few additions. idempotent:
 * x + x = x. */
GrB_Info grid_adder_double(grid_adder *a, const void *x, uint64_t most, bool idempotent);
void grid_adder_multiple(const grid_adder *a, void *z, uint64_t n);
#endif
