/* See exact_weights.h. */
#include "algos/exact_weights.h"

#include <float.h>
#include <math.h>

/* Weights times a power of two, rounded to integers of which 2^52 exceeds the sum; then those of 0 are
 * dropped. Integers whose sum is below that lose nothing. */
static GrB_Info round_weights(GrB_Matrix W, const char *call) {
  GrB_Info info;
  GrB_Index entries = 0, valid = 0;
  double most = 0;
  int bits;
  TRY(GrB_Matrix_nvals(&entries, W));
  TRY(GrB_Matrix_reduce_FP64(&most, NULL, GrB_MAX_MONOID_FP64, W, NULL));
  TRY(GrB_Matrix_select_FP64(W, NULL, NULL, GrB_VALUEGE_FP64, W, 0.0, NULL));
  TRY(GrB_Matrix_nvals(&valid, W));
  if (valid < entries || most > DBL_MAX)
    TRY(grid_refuse(GrB_INVALID_VALUE, call, "a weight is below 0, not a number or infinite"));
  frexp(entries == 0 ? 1 : most, &bits);
  for (GrB_Index k = entries; k > 0; k /= 2) bits++;
  TRY(GrB_Matrix_apply_BinaryOp2nd_FP64(W, NULL, NULL, GrB_TIMES_FP64, W, ldexp(1, 51 - bits), NULL));
  TRY(GrB_Matrix_apply(W, NULL, NULL, GxB_ROUND_FP64, W, NULL));
  TRY(GrB_Matrix_select_FP64(W, NULL, NULL, GrB_VALUEGT_FP64, W, 0.0, NULL));
out:
  return info;
}

GrB_Info grid_exact_weights(GrB_Matrix *W, GrB_Matrix A, const char *call) {
  GrB_Info info;
  GrB_Index n;
  Grid_Storage storage;
  TRY(Grid_Matrix_storage(&storage, A));
  TRY(GrB_Matrix_nrows(&n, A));
  TRY(GrB_Matrix_new(W, GrB_FP64, n, n));
  if (storage.symmetric)
    TRY(GrB_Matrix_apply(*W, NULL, NULL, GrB_IDENTITY_FP64, A, NULL));
  else
    TRY(GrB_Matrix_eWiseAdd_BinaryOp(*W, NULL, NULL, GrB_PLUS_FP64, A, A, GrB_DESC_T1));
  TRY(round_weights(*W, call));
out:
  return info;
}
