/* The CPU's product kernels: which there are, and what drives them. */
#ifndef GRID_CPU_PRODUCT_H
#define GRID_CPU_PRODUCT_H
#include "semiring/jit/jit_kernel.h"
#include "spmat/cpu/kernels/mxv_kernels.h"
#include "spmat/local_product.h"

/* What the kernels of product_pointers.c call: one function a product. */
typedef struct {
  grid_binary_fn mul, add; /* mul NULL: the inner index */
  grid_cast_fn cast;       /* of A's values, or NULL */
  const void *terminal;
  size_t z_size, a_size; /* of a product; of the multiplier's operand from the matrix */
  size_t a_step, x_step; /* from one value of A, of x to the next */
  bool flip, any;
} grid_pointer_calls;

/* Products of one row, which follow one another: the next n are added up; `some`: to what y has at v. */
typedef struct {
  uint64_t v;
  uint32_t n;
  bool has_value;
} grid_segment;

/* The sums of a monoid over arrays of products t (product_sums.c). */
typedef struct {
  void (*rows)(void *y, const grid_segment *s, size_t n, const void *t);
  /* t[k] to output v[k], whose bit tells whether there is a value yet; gives how many had none */
  uint64_t (*scatter)(void *y, uint64_t *bits, const uint32_t *v, const void *t, size_t n);
} grid_sums;
/* NULL: not a predefined one. */
const grid_sums *grid_find_sums(GrB_Monoid m);

/* What the kernels of product_arrays.c call: one function for many products. */
typedef struct {
  grid_binary_loop mul;
  const grid_sums *sums;
  GrB_Type a_type, a_operand; /* A's values, and what the multiplier takes */
  size_t x_size;
  const bool *terminal; /* of y's values, which are BOOL; or NULL */
  bool uses_a_values, uses_x_values, flip, any;
} grid_array_calls;

/* They want this much room for each thread; those of product_pointers.c room for a product and a cast
 * operand, each half of it. */
extern const size_t grid_array_workspace;
extern const grid_ranges grid_array_ranges, grid_pointer_ranges;

/* product_find.c: the compiled kernels of a job's semiring and types, or NULL. */
const grid_ranges *grid_find_ranges(const grid_job *J);
/* product_jit_cpu.c: kernels made at run time for the job's semiring and types, or NULL; *made, where its work
 * is to be counted (semiring/jit/jit_kernel.h), may be NULL. */
const grid_ranges *grid_jit_product_kernels(const grid_job *J, grid_jit_cpu_kernel **jit_kernel);
#endif
