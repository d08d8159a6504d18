/* The value that is given beside an operator. */
#ifndef GRID_BOUND_SCALAR_H
#define GRID_BOUND_SCALAR_H
#include "dist/vector/vector.h"

/* Of a predefined type, a user's (type NULL), or in a scalar. */
typedef struct {
  const void *x;
  GrB_Type type;
  GrB_Scalar scalar;
  bool is_scalar;
} grid_bound_scalar;
/* *x becomes the value in type `want`; `room` is where a cast may put it. Errors go to `out`. */
GrB_Info grid_bound_scalar_value(const void **x, grid_any_value *storage,
                                 const grid_bound_scalar *bound_scalar, GrB_Type want, grid_head *out,
                                 const char *call);

/* The values alpha and beta of GxB_eWiseUnion in op's operand types; storage is where casts put them. Errors,
 * also of an empty scalar, go to `out`. */
typedef struct {
  const void *alpha, *beta;
  grid_any_value storage[2];
} grid_union_defaults;
/* alpha and beta have entries, of any type: for an operator that does not look at them. */
GrB_Info grid_union_defaults_check(GrB_Scalar alpha, GrB_Scalar beta, grid_head *out, const char *call);
GrB_Info grid_union_defaults_read(grid_union_defaults *x, GrB_BinaryOp op, GrB_Scalar alpha, GrB_Scalar beta,
                                  grid_head *out, const char *call);

/* The forms of a call that takes a value x: DEFINE(P, FORM, C, BOUND) for each, x being declared C in it; the
 * call's name begins with P. */
#define GRID_DEFINE_BOUND_TYPE(P, T, C) DEFINE(P, T, C, ((grid_bound_scalar){.x = &x, .type = P##_##T}))
#define GRID_DEFINE_BOUND                                       \
  GRID_PREDEFINED_TYPES(GRID_DEFINE_BOUND_TYPE)                 \
  DEFINE(GrB, UDT, const void *, ((grid_bound_scalar){.x = x})) \
  DEFINE(GrB, Scalar, const GrB_Scalar, ((grid_bound_scalar){.scalar = x, .is_scalar = true}))
#endif
