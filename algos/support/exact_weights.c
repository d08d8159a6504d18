/* See exact_weights.h. */
#include "algos/support/exact_weights.h"

#include <float.h>
#include <math.h>

/* Of A itself, since the sum of an edge and its reverse may hide a weight below 0. *most: the largest. */
static GrB_Info check_weights(double *most, GrB_Matrix A, const char *call) {
  GrB_Info info;
  GrB_Index entries = 0;
  double least = 0, sum = 0;
  *most = 0;
  TRY(GrB_Matrix_nvals(&entries, A));
  if (entries == 0) goto out;
  TRY(GrB_Matrix_reduce_FP64(&least, NULL, GrB_MIN_MONOID_FP64, A, NULL));
  TRY(GrB_Matrix_reduce_FP64(most, NULL, GrB_MAX_MONOID_FP64, A, NULL));
  /* a minimum may ignore a NaN, a sum does not */
  TRY(GrB_Matrix_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, A, NULL));
  if (!(least >= 0 && *most <= DBL_MAX) || isnan(sum))
    info =
        grid_refuse(GrB_INVALID_VALUE, call,
                    "a weight is below 0, not a number or infinite (they are from %g to %g)", least, *most);
out:
  return info;
}

/* W *= 2^exponent, in steps: for the smallest doubles the power itself would be infinite. */
static GrB_Info scale(GrB_Matrix W, int exponent) {
  enum { MOST = 1000 };
  GrB_Info info = GrB_SUCCESS;
  while (exponent != 0) {
    const int step = exponent < -MOST ? -MOST : exponent > MOST ? MOST : exponent;
    TRY(GrB_Matrix_apply_BinaryOp2nd_FP64(W, NULL, NULL, GrB_TIMES_FP64, W, ldexp(1, step), NULL));
    exponent -= step;
  }
out:
  return info;
}

/* Weights times a power of two, rounded to integers of which 2^52 exceeds the sum; then those of 0 are
 * dropped. Integers whose sum is below that lose nothing. */
static GrB_Info round_weights(GrB_Matrix W) {
  GrB_Info info;
  GrB_Index entries = 0;
  double most = 0;
  int bits;
  TRY(GrB_Matrix_nvals(&entries, W));
  TRY(GrB_Matrix_reduce_FP64(&most, NULL, GrB_MAX_MONOID_FP64, W, NULL));
  frexp(entries == 0 ? 1 : most, &bits);
  for (GrB_Index k = entries; k > 0; k /= 2) bits++;
  TRY(scale(W, 51 - bits));
  TRY(GrB_Matrix_apply(W, NULL, NULL, GxB_ROUND_FP64, W, NULL));
  TRY(GrB_Matrix_select_FP64(W, NULL, NULL, GrB_VALUEGT_FP64, W, 0.0, NULL));
out:
  return info;
}

GrB_Info grid_exact_weights(GrB_Matrix *W, GrB_Matrix A, const char *call) {
  GrB_Info info;
  GrB_Index n;
  Grid_Storage storage;
  double most;
  TRY(check_weights(&most, A, call));
  TRY(Grid_Matrix_storage(&storage, A));
  TRY(GrB_Matrix_nrows(&n, A));
  TRY(GrB_Matrix_new(W, GrB_FP64, n, n));
  /* so small that the sum of an edge and its reverse is finite */
  TRY(GrB_Matrix_apply_BinaryOp2nd_FP64(*W, NULL, NULL, GrB_TIMES_FP64, A, most > 0x1p1000 ? 0x1p-100 : 1,
                                        NULL));
  if (!storage.symmetric)
    TRY(GrB_Matrix_eWiseAdd_BinaryOp(*W, NULL, NULL, GrB_PLUS_FP64, *W, *W, GrB_DESC_T1));
  TRY(round_weights(*W));
out:
  return info;
}
