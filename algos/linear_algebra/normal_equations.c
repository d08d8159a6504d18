/* A symmetric k x k system for each row, by Cholesky's method with the largest remaining pivot first. Where
 * no remaining pivot exceeds the rounding errors, the matrix is singular: the unknowns without a pivot become
 * 0. The others then solve all equations, since the right side is in the range of the matrix. Source: Higham,
 * Accuracy and stability of numerical algorithms (2002), section 10.3. */
#include "algos/linear_algebra/normal_equations.h"

#include <float.h>
#include <math.h>

/* a = F' F + lambda r I and b = F' ratings, of row u. */
static void make_equations(double *a, double *b, const least_squares *s, uint64_t u) {
  const uint64_t k = s->k;
  for (uint64_t i = 0; i < k; i++) {
    for (uint64_t j = 0; j <= i; j++) a[i * k + j] = 0;
    b[i] = 0;
  }
  for (uint64_t e = s->start[u]; e < s->start[u + 1]; e++) {
    const double *f = s->fixed + s->at[e] * k, rating = s->value[e];
    for (uint64_t i = 0; i < k; i++) {
      for (uint64_t j = 0; j <= i; j++) a[i * k + j] += f[i] * f[j];
      b[i] += rating * f[i];
    }
  }
  const double regularization = s->lambda * (double)(s->start[u + 1] - s->start[u]);
  for (uint64_t i = 0; i < k; i++) {
    a[i * k + i] += regularization;
    for (uint64_t j = 0; j < i; j++) a[j * k + i] = a[i * k + j];
  }
}

static void swap(double *x, double *y) {
  const double old = *x;
  *x = *y, *y = old;
}

/* The row and the column `to` of the symmetric a exchange places with those of the largest diagonal entry
 * from there on, which is returned. */
static double move_pivot(double *a, uint64_t *order, uint64_t k, uint64_t to) {
  uint64_t most = to;
  for (uint64_t i = to + 1; i < k; i++)
    if (a[i * k + i] > a[most * k + most]) most = i;
  for (uint64_t j = 0; j < k && most != to; j++) swap(&a[to * k + j], &a[most * k + j]);
  for (uint64_t i = 0; i < k && most != to; i++) swap(&a[i * k + to], &a[i * k + most]);
  const uint64_t old = order[to];
  order[to] = order[most], order[most] = old;
  return a[to * k + to];
}

/* a, in this order, = L L'; row j of U = L' comes in place of row j of a. Returns the number of its rows. */
static uint64_t factor(double *a, uint64_t *order, uint64_t k) {
  double least = 0;
  for (uint64_t i = 0; i < k; i++) order[i] = i;
  for (uint64_t j = 0; j < k; j++) {
    const double pivot = move_pivot(a, order, k, j);
    if (j == 0) least = DBL_EPSILON * (double)k * pivot;
    if (pivot <= least) return j;
    double *const row = a + j * k, inverse = 1 / sqrt(pivot);
    for (uint64_t l = j; l < k; l++) row[l] *= inverse;
    for (uint64_t i = j + 1; i < k; i++)
      for (uint64_t l = j + 1; l < k; l++) a[i * k + l] -= row[i] * row[l];
  }
  return k;
}

/* x = the solution of U' U x = b for the first `rank` unknowns of the order, 0 for the others. */
static void substitute(double *x, const double *u, const double *b, const uint64_t *order, uint64_t rank,
                       uint64_t k) {
  double y[MOST_UNKNOWNS];
  for (uint64_t i = 0; i < rank; i++) y[i] = b[order[i]];
  for (uint64_t i = 0; i < rank; i++) {
    y[i] /= u[i * k + i];
    for (uint64_t l = i + 1; l < rank; l++) y[l] -= u[i * k + l] * y[i];
  }
  for (uint64_t i = rank; i-- > 0;) {
    for (uint64_t l = i + 1; l < rank; l++) y[i] -= u[i * k + l] * y[l];
    y[i] /= u[i * k + i];
  }
  for (uint64_t i = 0; i < k; i++) x[order[i]] = i < rank ? y[i] : 0;
}

/* Rows have very different numbers of ratings, so threads take a few at a time. Fewer multiplications take
 * less time than threads take to begin. */
enum { ROWS_AT_A_TIME = 16, PARALLEL_MULTIPLICATIONS = 1 << 18 };

/* each: multiplications of a rating. */
static bool is_worth_threads(const least_squares *s, uint64_t each, uint64_t of_row) {
  return s->start[s->count] * each + s->count * of_row > PARALLEL_MULTIPLICATIONS;
}

bool grid_solve_least_squares(double *x, const least_squares *s) {
  const uint64_t k = s->k;
  const bool is_parallel = is_worth_threads(s, k * (k + 1) / 2, k * k * k / 6 + k);
  bool finite = true;
#pragma omp parallel for schedule(dynamic, ROWS_AT_A_TIME) reduction(&& : finite) if (is_parallel)
  for (uint64_t u = 0; u < s->count; u++) {
    double a[MOST_UNKNOWNS * MOST_UNKNOWNS], b[MOST_UNKNOWNS];
    uint64_t order[MOST_UNKNOWNS];
    make_equations(a, b, s, u);
    const uint64_t rank = factor(a, order, k);
    substitute(x + u * k, a, b, order, rank, k);
    for (uint64_t i = 0; i < k; i++) finite = finite && isfinite(x[u * k + i]);
  }
  return finite;
}

void grid_sum_squared_errors(double *square, const double *x, const least_squares *s) {
#pragma omp parallel for schedule(dynamic, ROWS_AT_A_TIME) if (is_worth_threads(s, s->k, 1))
  for (uint64_t u = 0; u < s->count; u++) {
    square[u] = 0;
    for (uint64_t e = s->start[u]; e < s->start[u + 1]; e++) {
      const double *f = s->fixed + s->at[e] * s->k;
      double error = s->value[e];
      for (uint64_t i = 0; i < s->k; i++) error -= x[u * s->k + i] * f[i];
      square[u] += error * error;
    }
  }
}
