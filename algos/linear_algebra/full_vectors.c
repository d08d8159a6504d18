/* See full_vectors.h. */
#include "algos/linear_algebra/full_vectors.h"

#include "algos/support/magnitude.h"

/* *norm = |v|, by v divided by its largest number. */
static GrB_Info norm_by_largest(double *norm, GrB_Vector v, GrB_Vector t) {
  GrB_Info info;
  double most;
  TRY(grid_largest(&most, v, t));
  *norm = most > 0 ? most : 0;
  if (*norm == 0 || !isfinite(most)) goto out;
  TRY(GrB_Vector_apply_BinaryOp2nd_FP64(t, NULL, NULL, GrB_DIV_FP64, v, most, NULL));
  TRY(grid_dot(norm, t, t, t));
  *norm = most * sqrt(*norm);
out:
  return info;
}

GrB_Info grid_norm(double *norm, GrB_Vector v, GrB_Vector t, const char *call) {
  GrB_Info info;
  TRY(grid_dot(norm, v, v, t));
  *norm = sqrt(*norm);
  if (!isnan(*norm) && !grid_can_square(*norm)) TRY(norm_by_largest(norm, v, t));
  if (!isfinite(*norm))
    TRY(grid_refuse(GrB_INVALID_VALUE, call, "numbers are not finite, or their products overflow"));
out:
  return info;
}
