/* See ratings.h. */
#include "algos/linear_algebra/ratings.h"

#include <math.h>

#include "algos/random_values.h"

GrB_Info grid_ratings_check(ratings *r, const GrB_Matrix *P, const GrB_Matrix *Q) {
  GrB_Info info;
  int32_t code = 0;
  if (P == NULL || Q == NULL || r->R == NULL)
    return grid_refuse(GrB_NULL_POINTER, r->call,
                       P == NULL   ? "P is NULL"
                       : Q == NULL ? "Q is NULL"
                                   : "R is NULL");
  if (r->k == 0) return grid_refuse(GrB_INVALID_VALUE, r->call, "k is 0");
  if (!(r->lambda >= 0)) return grid_refuse(GrB_INVALID_VALUE, r->call, "lambda is below 0");
  TRY(Grid_agree(GrB_Matrix_get_INT32(r->R, &code, GrB_EL_TYPE_CODE), NULL));
  if (code == GrB_UDT_CODE)
    return grid_refuse(GrB_DOMAIN_MISMATCH, r->call, "the ratings have a user-defined type");
  TRY(GrB_Matrix_nrows(&r->m, r->R));
  TRY(GrB_Matrix_ncols(&r->n, r->R));
out:
  return info;
}

GrB_Info grid_ratings_measure(GrB_Matrix *size, ratings *r) {
  GrB_Info info;
  TRY(GrB_Matrix_new(size, GrB_FP64, r->m, r->n));
  TRY(GrB_Matrix_nvals(&r->count, r->R));
  TRY(GrB_Matrix_apply(*size, NULL, NULL, GrB_ABS_FP64, r->R, NULL));
  r->sum = 0;
  if (r->count > 0) TRY(GrB_Matrix_reduce_FP64(&r->sum, NULL, GrB_PLUS_MONOID_FP64, *size, NULL));
  if (!isfinite(r->sum))
    info = grid_refuse(GrB_INVALID_VALUE, r->call, "a rating is not a number, or infinite");
out:
  return info;
}

/* Their products are about the mean rating. */
GrB_Info grid_first_factors(GrB_Matrix *P, GrB_Matrix *Q, const ratings *r, uint64_t seed) {
  GrB_Info info;
  const double mean = r->sum > 0 ? r->sum / (double)r->count : 1, scale = 2 * sqrt(mean / (double)r->k);
  TRY(GrB_Matrix_new(P, GrB_FP64, r->m, r->k));
  TRY(GrB_Matrix_new(Q, GrB_FP64, r->n, r->k));
  TRY(grid_draw_matrix(*P, r->m, r->k, scale, 2 * seed));
  TRY(grid_draw_matrix(*Q, r->n, r->k, scale, 2 * seed + 1));
out:
  return info;
}
