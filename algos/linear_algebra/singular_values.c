/* The largest singular values of a matrix A: the roots of the eigenvalues of A' A, by Lanczos' method
 * (lanczos.c). Their right vectors v are the eigenvectors, the left ones A v / value.
 *
 * Source: Golub, Van Loan, Matrix computations (2013), sections 2.4 and 10.4. */
#include <math.h>

#include "algos/linear_algebra/lanczos.h"
#include "algos/support/magnitude.h"

/* values = their roots; a value may be below 0 by rounding. */
static GrB_Info replace_by_roots(GrB_Vector values) {
  GrB_Info info;
  TRY(GrB_Vector_apply_BinaryOp2nd_FP64(values, NULL, NULL, GrB_MAX_FP64, values, 0, NULL));
  TRY(GrB_Vector_apply(values, NULL, NULL, GxB_SQRT_FP64, values, NULL));
out:
  return info;
}

/* *left = A right / values, 0 in the columns of values that are 0 */
static GrB_Info make_left(GrB_Matrix *left, const lanczos *l, GrB_Matrix right, GrB_Vector values) {
  GrB_Info info;
  GrB_Vector inverse = NULL;
  GrB_Matrix D = NULL;
  TRY(GrB_Vector_new(&inverse, GrB_FP64, l->k));
  TRY(GrB_Vector_select_FP64(inverse, NULL, NULL, GrB_VALUEGT_FP64, values, 0, NULL));
  TRY(GrB_Vector_apply(inverse, NULL, NULL, GrB_MINV_FP64, inverse, NULL));
  TRY(GrB_Matrix_diag(&D, inverse, 0));
  TRY(GrB_Matrix_new(left, GrB_FP64, l->nrows, l->k));
  TRY(GrB_mxm(*left, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, l->A, right, NULL));
  TRY(GrB_mxm(*left, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, *left, D, NULL));
out:
  GrB_Vector_free(&inverse);
  GrB_Matrix_free(&D);
  return info;
}

/* Refuses values of A whose products the method cannot compute with. */
static GrB_Info check_magnitude(const lanczos *l) {
  GrB_Info info;
  double least, most;
  TRY(GrB_Matrix_reduce_FP64(&least, NULL, GrB_MIN_MONOID_FP64, l->A, NULL));
  TRY(GrB_Matrix_reduce_FP64(&most, NULL, GrB_MAX_MONOID_FP64, l->A, NULL));
  most = fmax(-least, most);
  if (most > 0 && isfinite(most) && !grid_can_square(most))
    TRY(grid_refuse(GrB_INVALID_VALUE, l->call,
                    "values of A are up to %g: multiply A by a number, since squares overflow or vanish",
                    most));
out:
  return info;
}

GrB_Info Grid_singular_values(GrB_Vector *values, GrB_Matrix *left, GrB_Matrix *right, uint64_t *iterations,
                              double *residual, GrB_Matrix A, int64_t nvalues, double tolerance,
                              uint64_t limit, uint64_t seed) {
  SPAN;
  GrB_Info info;
  lanczos l = {.call = "Grid_singular_values", .A = A, .gram = true, .seed = seed << 32};
  GrB_Vector found = NULL;
  GrB_Matrix U = NULL, V = NULL;
  uint64_t rows = 0;
  double rest = 0;

  if (values == NULL && left == NULL && right == NULL && iterations == NULL && residual == NULL)
    return grid_refuse(GrB_NULL_POINTER, l.call, "all outputs are NULL");
  if (A == NULL) return grid_refuse(GrB_NULL_POINTER, l.call, "A is NULL");
  TRY(check_distinct(left, right, l.call));
  TRY(check_magnitude(&l));
  TRY(grid_lanczos_run(&l, &rows, &rest, nvalues, tolerance, limit));
  TRY(grid_lanczos_values(&found, &l));
  TRY(replace_by_roots(found));
  if (left != NULL || right != NULL) TRY(grid_lanczos_vectors(&V, &l, rows));
  if (left != NULL) TRY(make_left(&U, &l, V, found));
  if (values != NULL) *values = found, found = NULL;
  if (left != NULL) *left = U, U = NULL;
  if (right != NULL) *right = V, V = NULL;
  if (iterations != NULL) *iterations = rows;
  if (residual != NULL) *residual = rest;
out:
  grid_lanczos_free(&l);
  GrB_Vector_free(&found);
  GrB_Matrix_free(&U);
  GrB_Matrix_free(&V);
  return info;
}
