/* The CPU's product kernels and their driver. */
#ifndef GRID_CPU_PRODUCT_H
#define GRID_CPU_PRODUCT_H
#include "semiring/jit/jit_kernel.h"
#include "spmat/cpu/kernels/mxv_kernels.h"
#include "spmat/local_product.h"

/* What the kernels of product_pointers.c call: one function call a product. */
typedef struct {
  grid_binary_fn mul, add; /* mul NULL: the inner index */
  grid_cast_fn cast;       /* of A's values, or NULL */
  const void *terminal;
  size_t z_size, a_size; /* of a product; of the multiplier's operand from the matrix */
  size_t a_step, x_step; /* bytes between values of A, of x */
  bool flip, any;
} grid_pointer_calls;

/* The next n products, all of row v: they are summed; has_value: and added to y's value at v. */
typedef struct {
  uint64_t v;
  uint32_t n;
  bool has_value;
} grid_segment;

/* Sums of a monoid over arrays of products t (product_sums.c). */
typedef struct {
  void (*rows)(void *y, const grid_segment *s, size_t n, const void *t);
  /* adds t[k] to output v[k], whose bit tells whether it has a value yet; returns how many had none */
  uint64_t (*scatter)(void *y, uint64_t *bits, const uint32_t *v, const void *t, size_t n);
} grid_sums;
/* NULL: not predefined. */
const grid_sums *grid_find_sums(GrB_Monoid m);

/* What the kernels of product_arrays.c call: one function call for many products. */
typedef struct {
  grid_binary_loop mul;
  const grid_sums *sums;
  GrB_Type a_type, a_operand; /* A's values, and the multiplier's operand */
  size_t x_size;
  const bool *terminal; /* for y of type BOOL: its terminal value; or NULL */
  bool uses_a_values, uses_x_values, flip, any;
} grid_array_calls;

/* Bytes of workspace a thread for the array kernels. Those of product_pointers.c need room for a product and
 * a cast operand, each in one half. */
extern const size_t grid_array_workspace;
extern const grid_ranges grid_array_ranges, grid_pointer_ranges;

/* A product in execution: range functions and what they read. j.calls must point to `calls` of the variable
 * in which the structure lies. */
typedef struct {
  grid_range_job j;
  const grid_ranges *kernels;
  union {
    grid_pointer_calls pointers;
    grid_array_calls arrays;
  } calls;
  size_t workspace;                /* bytes a thread */
  bool any;                        /* a push by edges */
  grid_jit_cpu_kernel *jit_kernel; /* a kernel that is, or may be, compiled at run time */
} grid_product_run;
/* product_drive.c: finds the range functions of a job. */
grid_product_run grid_prepare_product_run(const grid_job *J, bool structural);

/* product_drive.c: kernels that use all threads; `job` is not used. */
const grid_kernels *grid_cpu_product_kernels(const grid_job *job, bool structural);
/* product_find.c: the compiled kernels of a job's semiring and types, or NULL. */
const grid_ranges *grid_find_ranges(const grid_job *J);
/* product_jit_cpu.c: kernels compiled at run time for the job's semiring and types, or NULL. *jit_kernel
 * counts its work (semiring/jit/jit_kernel.h) and may be NULL. */
const grid_ranges *grid_jit_product_kernels(const grid_job *J, grid_jit_cpu_kernel **jit_kernel);
#endif
