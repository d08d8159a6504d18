/* The largest eigenvalues of a symmetric matrix by Lanczos' method. A basis q of the space that A spans from
 * a random vector is made one product at a time. In it A is tridiagonal, T = q' A q, and T's largest
 * eigenvalues soon are those of A:
 *
 *   w = A q(j),  T(j,j) = (w, q(j)),  w -= its parts along all of q,  T(j,j+1) = |w|,  q(j+1) = w / |w|
 *
 * For an eigenpair (theta, s) of T the vector q s has the residual |A q s - theta q s| = T(m,m+1) |s(m)|.
 * Where w vanishes, the basis spans an invariant space: a new random vector then starts the rest, so that
 * multiple eigenvalues are found, too.
 *
 * Sources: Lanczos (1950); Golub, Van Loan, Matrix computations (2013), section 10.1. */
#include "algos/linear_algebra/lanczos.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "algos/linear_algebra/dense_eigenpairs.h"
#include "algos/linear_algebra/full_vectors.h"
#include "algos/linear_algebra/lanczos_resume.h"
#include "algos/support/random_values.h"

static GrB_Info allocate(lanczos *l) {
  const size_t most = l->most, square = most * most;
  l->q = calloc(most, sizeof(GrB_Vector));
  l->alpha = calloc(most, sizeof(double)), l->beta = calloc(most, sizeof(double));
  l->value = calloc(most, sizeof(double));
  l->T = calloc(square, sizeof(double)), l->s = calloc(square, sizeof(double));
  const bool allocated = l->q && l->alpha && l->beta && l->value && l->T && l->s;
  GrB_Info info = grid_refuse(allocated ? GrB_SUCCESS : GrB_OUT_OF_MEMORY, l->call, "out of memory");
  if (info != GrB_SUCCESS) goto out;
  TRY(GrB_Vector_new(&l->w, GrB_FP64, l->n));
  TRY(GrB_Vector_new(&l->t, GrB_FP64, l->n));
  if (l->gram) TRY(GrB_Vector_new(&l->y, GrB_FP64, l->nrows));
out:
  return info;
}

void grid_lanczos_free(lanczos *l) {
  for (uint64_t j = 0; l->q && j < l->m; j++) GrB_Vector_free(&l->q[j]);
  free(l->q), free(l->alpha), free(l->beta), free(l->value), free(l->T), free(l->s);
  GrB_Vector_free(&l->w);
  GrB_Vector_free(&l->t);
  GrB_Vector_free(&l->y);
}

/* w -= its part along q, of norm 1 */
static GrB_Info remove_part(lanczos *l, GrB_Vector q) {
  GrB_Info info;
  double part;
  TRY(grid_dot(&part, l->w, q, l->t));
  TRY(grid_add_multiple(l->w, -part, q));
out:
  return info;
}

/* w -= its parts along the basis and the deflated vector, twice, since rounding leaves some of them the first
 * time; *norm = |w|. */
static GrB_Info orthogonalize(double *norm, lanczos *l) {
  GrB_Info info = GrB_SUCCESS;
  for (int pass = 0; pass < 2; pass++) {
    if (l->deflated != NULL) TRY(remove_part(l, l->deflated));
    for (uint64_t j = 0; j < l->m; j++) TRY(remove_part(l, l->q[j]));
  }
  TRY(grid_norm(norm, l->w, l->t, l->call));
out:
  return info;
}

/* q(m) = w / norm */
static GrB_Info append(lanczos *l, double norm) {
  GrB_Info info;
  TRY(GrB_Vector_new(&l->q[l->m], GrB_FP64, l->n));
  l->m++;
  TRY(GrB_Vector_apply_BinaryOp2nd_FP64(l->q[l->m - 1], NULL, NULL, GrB_DIV_FP64, l->w, norm, NULL));
out:
  return info;
}

/* Appends a random vector that is orthogonal to the basis. */
static GrB_Info append_random(lanczos *l) {
  GrB_Info info;
  GrB_Matrix F = NULL;
  double norm;
  TRY(GrB_Matrix_new(&F, GrB_FP64, l->n, 1));
  TRY(grid_draw_matrix(F, l->n, 1, 1, l->seed + l->m));
  TRY(GrB_Col_extract(l->w, NULL, NULL, F, GrB_ALL, l->n, 0, NULL));
  TRY(GrB_Vector_apply_BinaryOp2nd_FP64(l->w, NULL, NULL, GrB_MINUS_FP64, l->w, 0.5, NULL));
  TRY(orthogonalize(&norm, l));
  TRY(append(l, norm));
out:
  GrB_Matrix_free(&F);
  return info;
}

/* to = A from, or A' from: 0 in rows without entries */
static GrB_Info multiply(GrB_Vector to, GrB_Matrix A, GrB_Vector from, GrB_Index size, bool transposed) {
  GrB_Info info;
  TRY(GrB_Vector_assign_FP64(to, NULL, NULL, 0, GrB_ALL, size, NULL));
  TRY(GrB_mxv(to, NULL, GrB_PLUS_FP64, GrB_PLUS_TIMES_SEMIRING_FP64, A, from,
              transposed ? GrB_DESC_T0 : NULL));
out:
  return info;
}

/* w = S A S q */
static GrB_Info multiply_scaled(lanczos *l, GrB_Vector q) {
  GrB_Info info;
  TRY(GrB_Vector_eWiseMult_BinaryOp(l->t, NULL, NULL, GrB_TIMES_FP64, l->scale, q, NULL));
  TRY(multiply(l->w, l->A, l->t, l->n, false));
  TRY(GrB_Vector_eWiseMult_BinaryOp(l->w, NULL, NULL, GrB_TIMES_FP64, l->scale, l->w, NULL));
out:
  return info;
}

/* w = the matrix times q */
static GrB_Info apply(lanczos *l, GrB_Vector q) {
  GrB_Info info;
  if (l->scale != NULL) return multiply_scaled(l, q);
  if (l->gram) TRY(multiply(l->y, l->A, q, l->nrows, false));
  TRY(multiply(l->w, l->A, l->gram ? l->y : q, l->n, l->gram));
out:
  return info;
}

/* The product with vector j of the basis, its last one, w, T's row j, and, unless the basis is full, the next
 * vector. */
static GrB_Info step(lanczos *l, uint64_t j) {
  GrB_Info info;
  TRY(apply(l, l->q[j]));
  TRY(grid_dot(&l->alpha[j], l->w, l->q[j], l->t));
  TRY(orthogonalize(&l->beta[j], l));
  l->largest = fmax(l->largest, fabs(l->alpha[j]) + l->beta[j]);
  const bool vanishes = l->beta[j] <= 16 * DBL_EPSILON * l->largest;
  if (vanishes) l->beta[j] = 0;
  if (l->m < l->most) TRY(vanishes ? append_random(l) : append(l, l->beta[j]));
out:
  return info;
}

/* The eigenpairs of T of `rows` rows; *residual: the largest one of the k first. */
static void solve_small(double *residual, lanczos *l, uint64_t rows) {
  for (uint64_t i = 0; i < rows * rows; i++) l->T[i] = 0;
  for (uint64_t i = 0; i < rows; i++) {
    l->T[i * rows + i] = l->alpha[i];
    if (i + 1 < rows) l->T[i * rows + i + 1] = l->T[(i + 1) * rows + i] = l->beta[i];
  }
  grid_dense_eigenpairs(rows, l->T, l->value, l->s);
  const double most = fmax(fabs(l->value[0]), fabs(l->value[rows - 1]));
  *residual = 0;
  for (uint64_t c = 0; c < l->k && most > 0; c++)
    *residual = fmax(*residual, l->beta[rows - 1] * fabs(l->s[c * rows + rows - 1]) / most);
}

/* *rows, 0 at first: products so far, and rows of T. The small problem is solved at intervals that grow. */
static GrB_Info iterate(uint64_t *rows, double *residual, lanczos *l, double tolerance) {
  GrB_Info info;
  lanczos_progress w = {.now = {.due = l->k}};
  TRY(grid_lanczos_resume(rows, &w, l));
  if (*rows == 0) TRY(append_random(l));
  for (;;) {
    const bool full = *rows == l->most;
    /* where w vanishes, an eigenvalue that occurs again is still to come */
    if (full || (*rows >= w.now.due && l->beta[*rows - 1] != 0)) {
      solve_small(residual, l, *rows);
      if (!isfinite(l->value[0]) || !isfinite(l->value[*rows - 1]))
        TRY(grid_refuse(GrB_INVALID_VALUE, l->call, "numbers are not finite, or their products overflow"));
      if (full || *residual < tolerance) break;
      w.now.due = *rows + *rows / 4 + 4;
    }
    TRY(step(l, *rows));
    TRY(grid_lanczos_record(&w, l, ++*rows));
    Grid_progress_set(*rows, l->most);
  }
out:
  grid_lanczos_progress_free(&w);
  return info;
}

/* Column c of V = the basis times the c-th vector of T, with a sign such that its part along the first vector
 * of the basis is not negative. */
GrB_Info grid_lanczos_vectors(GrB_Matrix *V, lanczos *l, uint64_t rows) {
  GrB_Info info;
  TRY(GrB_Matrix_new(V, GrB_FP64, l->n, l->k));
  for (uint64_t c = 0; c < l->k; c++) {
    const double *s = l->s + c * rows, sign = s[0] < 0 ? -1 : 1;
    TRY(GrB_Vector_assign_FP64(l->w, NULL, NULL, 0, GrB_ALL, l->n, NULL));
    for (uint64_t j = 0; j < rows; j++) TRY(grid_add_multiple(l->w, sign * s[j], l->q[j]));
    TRY(GrB_Col_assign(*V, NULL, NULL, l->w, GrB_ALL, l->n, c, NULL));
  }
out:
  return info;
}

GrB_Info grid_lanczos_values(GrB_Vector *values, const lanczos *l) {
  GrB_Info info;
  TRY(GrB_Vector_new(values, GrB_FP64, l->k));
  for (uint64_t c = 0; c < l->k; c++) TRY(GrB_Vector_setElement_FP64(*values, l->value[c], c));
out:
  return info;
}

/* *n, *nrows of A, which must be square unless gram. */
static GrB_Info find_sizes(lanczos *l) {
  GrB_Info info;
  if (!l->gram) return square_size(&l->n, l->A, l->call);
  if (l->A == NULL) return grid_refuse(GrB_NULL_POINTER, l->call, "A is NULL");
  TRY(GrB_Matrix_ncols(&l->n, l->A));
  TRY(GrB_Matrix_nrows(&l->nrows, l->A));
out:
  return info;
}

GrB_Info grid_lanczos_run(lanczos *l, uint64_t *rows, double *residual, int64_t nvalues, double tolerance,
                          uint64_t limit) {
  GrB_Info info;
  TRY(find_sizes(l));
  if (nvalues < 1 || (uint64_t)nvalues > l->n)
    TRY(grid_refuse(GrB_INVALID_VALUE, l->call,
                    "nvalues is %" PRId64 "; it is from 1 to %" PRIu64 ", the number of columns", nvalues,
                    l->n));
  TRY(check_not_negative(tolerance, "tolerance", l->call));
  l->k = (uint64_t)nvalues;
  const uint64_t room = l->deflated != NULL ? l->n - 1 : l->n; /* orthogonal vectors that there are */
  l->most = limit < l->k ? l->k : limit < room ? limit : room;
  TRY(allocate(l));
  TRY(iterate(rows, residual, l, tolerance));
out:
  return info;
}

GrB_Info Grid_lanczos(GrB_Vector *values, GrB_Matrix *vectors, uint64_t *iterations, double *residual,
                      GrB_Matrix A, int64_t nvalues, double tolerance, uint64_t limit, uint64_t seed) {
  SPAN;
  GrB_Info info;
  lanczos l = {.call = "Grid_lanczos", .A = A, .seed = seed << 32};
  GrB_Vector found = NULL;
  GrB_Matrix V = NULL;
  uint64_t rows = 0;
  double left = 0;

  if (values == NULL && vectors == NULL && iterations == NULL && residual == NULL)
    return grid_refuse(GrB_NULL_POINTER, l.call, "all outputs are NULL");
  TRY(grid_lanczos_run(&l, &rows, &left, nvalues, tolerance, limit));
  TRY(grid_lanczos_values(&found, &l));
  if (vectors != NULL) TRY(grid_lanczos_vectors(&V, &l, rows));
  if (values != NULL) *values = found, found = NULL;
  if (vectors != NULL) *vectors = V, V = NULL;
  if (iterations != NULL) *iterations = rows;
  if (residual != NULL) *residual = left;
out:
  grid_lanczos_free(&l);
  GrB_Vector_free(&found);
  GrB_Matrix_free(&V);
  return info;
}
