/* See full_vectors.h. */
#include "algos/linear_algebra/full_vectors.h"

#include "algos/support/magnitude.h"

/* *norm = sqrt((v, v)). The sum is of FP64: that of many FP32 numbers loses digits. */
static GrB_Info root_of_squares(double *norm, const real_operators *real, GrB_Vector v, GrB_Vector t) {
  GrB_Info info;
  TRY(GrB_Vector_eWiseMult_BinaryOp(t, NULL, NULL, real->times, v, v, NULL));
  TRY(GrB_Vector_reduce_FP64(norm, NULL, GrB_PLUS_MONOID_FP64, t, NULL));
  *norm = sqrt(*norm);
out:
  return info;
}

/* *norm = |v|, by v divided by its largest number. */
static GrB_Info norm_by_largest(double *norm, const real_operators *real, GrB_Vector v, GrB_Vector t) {
  GrB_Info info;
  double most;
  TRY(grid_largest(&most, v, t));
  *norm = most > 0 ? most : 0;
  if (*norm == 0 || !isfinite(most)) goto out;
  TRY(GrB_Vector_apply_BinaryOp2nd_FP64(t, NULL, NULL, real->div, v, most, NULL));
  TRY(root_of_squares(norm, real, t, t));
  *norm *= most;
out:
  return info;
}

GrB_Info grid_norm_of(double *norm, const real_operators *real, GrB_Vector v, GrB_Vector t,
                      const char *call) {
  GrB_Info info;
  TRY(root_of_squares(norm, real, v, t));
  const bool squared = real->type == GrB_FP32 ? grid_can_square_fp32(*norm) : grid_can_square(*norm);
  if (!isnan(*norm) && !squared) TRY(norm_by_largest(norm, real, v, t));
  if (!isfinite(*norm))
    TRY(grid_refuse(GrB_INVALID_VALUE, call, "numbers are not finite, or their products overflow"));
out:
  return info;
}
