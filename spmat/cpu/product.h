/* The CPU's product kernels: which there are, and what drives them. */
#ifndef GRID_CPU_PRODUCT_H
#define GRID_CPU_PRODUCT_H
#include "semiring/jit/made.h"
#include "spmat/cpu/kernels/kernels.h"
#include "spmat/product.h"

/* What the kernels call that are not compiled for one semiring. */
typedef struct {
  grid_binary_fn mul, add; /* mul NULL: the inner index */
  grid_cast_fn cast;       /* of A's values, or NULL */
  const void *terminal;
  size_t z_size, a_size; /* of a product; of the multiplier's operand from the matrix */
  size_t a_step, x_step; /* from one value of A, of x to the next */
  size_t room;           /* that a thread needs */
  bool flip, any;
} grid_calls;

/* product_pointers.c */
extern const grid_ranges grid_pointer_ranges;

/* product_find.c: the compiled kernels of a job's semiring and types, or NULL. */
const grid_ranges *grid_find_ranges(const grid_job *J);
/* product_made.c: kernels made at run time for the job's semiring and types, or NULL; *made, where its work
 * is to be counted (semiring/jit/made.h), may be NULL. */
const grid_ranges *grid_made_ranges(const grid_job *J, grid_made **made);
#endif
