/* Spectral embedding: coordinates of vertices such that neighbors are near. With the degrees D, in sums of
 * weights, they are the solutions x of
 *
 *   (D - A) x = mu D x,   x' D x = 1
 *
 * for the smallest mu but the trivial one: mu = 0 and x constant. With v = D^(1/2) x these are the largest
 * eigenvalues 1 - mu of N = D^(-1/2) A D^(-1/2), whose trivial vector is u = D^(1/2) 1 / |.|. Lanczos' method
 * (lanczos.c) keeps its basis orthogonal to u. A vertex of degree 0 counts as one of degree 1, and is in no
 * edge and not in u.
 *
 * Sources: Shi, Malik, Normalized cuts and image segmentation (2000); Belkin, Niyogi, Laplacian eigenmaps for
 * dimensionality reduction and data representation (2003). */
#include <math.h>

#include "algos/linear_algebra/full_vectors.h"
#include "algos/linear_algebra/lanczos.h"

static GrB_Info make_full(GrB_Vector *v, GrB_Index n, double x) {
  GrB_Info info;
  TRY(GrB_Vector_new(v, GrB_FP64, n));
  TRY(GrB_Vector_assign_FP64(*v, NULL, NULL, x, GrB_ALL, n, NULL));
out:
  return info;
}

/* deflated = u, NULL without edges and for one vertex, and scale = D^(-1/2) */
static GrB_Info make_scale(lanczos *l, GrB_Index n) {
  GrB_Info info;
  GrB_Vector positive = NULL;
  double norm;
  TRY(make_full(&l->scale, n, 1));
  TRY(make_full(&l->deflated, n, 0));
  TRY(GrB_Vector_new(&positive, GrB_FP64, n));
  TRY(GrB_Matrix_reduce_Monoid(l->deflated, NULL, GrB_PLUS_FP64, GrB_PLUS_MONOID_FP64, l->A, NULL));
  TRY(GrB_Vector_apply(l->deflated, NULL, NULL, GxB_SQRT_FP64, l->deflated, NULL));
  TRY(GrB_Vector_select_FP64(positive, NULL, NULL, GrB_VALUEGT_FP64, l->deflated, 0, NULL));
  TRY(GrB_Vector_apply(l->scale, positive, NULL, GrB_MINV_FP64, positive, GrB_DESC_S));
  TRY(grid_dot(&norm, l->deflated, l->deflated, positive));
  norm = sqrt(norm);
  if (norm > 0)
    TRY(GrB_Vector_apply_BinaryOp2nd_FP64(l->deflated, NULL, NULL, GrB_DIV_FP64, l->deflated, norm, NULL));
  if (norm == 0 || n == 1) TRY(GrB_Vector_free(&l->deflated));
out:
  GrB_Vector_free(&positive);
  return info;
}

static GrB_Info check(lanczos *l, int64_t nvalues) {
  GrB_Info info;
  GrB_Index n;
  double least;
  TRY(square_size(&n, l->A, l->call));
  if (nvalues < 1 || (uint64_t)nvalues > (n > 1 ? n - 1 : n))
    TRY(grid_refuse(GrB_INVALID_VALUE, l->call,
                    "nvalues is %" PRId64 "; it is from 1 to the %" PRIu64 " rows of A, but one", nvalues,
                    n));
  TRY(GrB_Matrix_reduce_FP64(&least, NULL, GrB_MIN_MONOID_FP64, l->A, NULL));
  if (least < 0) TRY(grid_refuse(GrB_INVALID_VALUE, l->call, "a weight is below 0: %g", least));
  TRY(make_scale(l, n));
out:
  return info;
}

/* *values = mu = 1 - the eigenvalues */
static GrB_Info make_values(GrB_Vector *values, const lanczos *l) {
  GrB_Info info;
  TRY(grid_lanczos_values(values, l));
  TRY(GrB_Vector_apply_BinaryOp1st_FP64(*values, NULL, NULL, GrB_MINUS_FP64, 1, *values, NULL));
out:
  return info;
}

/* *coordinates = S V */
static GrB_Info make_coordinates(GrB_Matrix *coordinates, lanczos *l, uint64_t rows) {
  GrB_Info info;
  GrB_Matrix S = NULL;
  TRY(grid_lanczos_vectors(coordinates, l, rows));
  TRY(GrB_Matrix_diag(&S, l->scale, 0));
  TRY(GrB_mxm(*coordinates, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, S, *coordinates, NULL));
out:
  GrB_Matrix_free(&S);
  return info;
}

GrB_Info Grid_spectral_embedding(GrB_Vector *values, GrB_Matrix *coordinates, uint64_t *iterations,
                                 double *residual, GrB_Matrix A, int64_t nvalues, double tolerance,
                                 uint64_t limit, uint64_t seed) {
  SPAN;
  GrB_Info info;
  lanczos l = {.call = "Grid_spectral_embedding", .A = A, .seed = seed << 32};
  GrB_Vector found = NULL;
  GrB_Matrix X = NULL;
  uint64_t rows = 0;
  double rest = 0;

  if (values == NULL && coordinates == NULL && iterations == NULL && residual == NULL)
    return grid_refuse(GrB_NULL_POINTER, l.call, "all outputs are NULL");
  TRY(check(&l, nvalues));
  TRY(grid_lanczos_run(&l, &rows, &rest, nvalues, tolerance, limit));
  TRY(make_values(&found, &l));
  if (coordinates != NULL) TRY(make_coordinates(&X, &l, rows));
  if (values != NULL) *values = found, found = NULL;
  if (coordinates != NULL) *coordinates = X, X = NULL;
  if (iterations != NULL) *iterations = rows;
  if (residual != NULL) *residual = rest;
out:
  grid_lanczos_free(&l);
  GrB_Vector_free(&l.scale);
  GrB_Vector_free(&l.deflated);
  GrB_Vector_free(&found);
  GrB_Matrix_free(&X);
  return info;
}
