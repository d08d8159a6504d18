/* Steps on full vectors, of FP64 where no operators are passed. */
#ifndef GRID_FULL_VECTORS_H
#define GRID_FULL_VECTORS_H
#include "algos/support/real_operators.h"

/* *sum = (u, v); t: workspace of the same size. */
static inline GrB_Info grid_dot(double *sum, GrB_Vector u, GrB_Vector v, GrB_Vector t) {
  const GrB_Info info = GrB_Vector_eWiseMult_BinaryOp(t, NULL, NULL, GrB_TIMES_FP64, u, v, NULL);
  return info == GrB_SUCCESS ? GrB_Vector_reduce_FP64(sum, NULL, GrB_PLUS_MONOID_FP64, t, NULL) : info;
}

/* *most = the largest |v(i)|, -infinity without entries; t: workspace of the same size. */
static inline GrB_Info grid_largest(double *most, GrB_Vector v, GrB_Vector t) {
  const GrB_Info info = GrB_Vector_apply(t, NULL, NULL, GrB_ABS_FP64, v, NULL);
  return info == GrB_SUCCESS ? GrB_Vector_reduce_FP64(most, NULL, GrB_MAX_MONOID_FP64, t, NULL) : info;
}

/* *norm = |v|, also where the squares of v's numbers overflow or vanish; t: workspace of the same size and
 * type. Refuses numbers that are not finite (full_vectors.c). */
GrB_Info grid_norm_of(double *norm, const real_operators *real, GrB_Vector v, GrB_Vector t, const char *call);
static inline GrB_Info grid_norm(double *norm, GrB_Vector v, GrB_Vector t, const char *call) {
  const real_operators real = real_operators_of(false);
  return grid_norm_of(norm, &real, v, t, call);
}

/* to += a v */
static inline GrB_Info grid_add_multiple(GrB_Vector to, double a, GrB_Vector v) {
  return GrB_Vector_apply_BinaryOp1st_FP64(to, NULL, GrB_PLUS_FP64, GrB_TIMES_FP64, a, v, NULL);
}
#endif
