/* Rotations that make one entry off the diagonal 0 at a time, until all are: the diagonal then has the
 * eigenvalues, and the product of the rotations the vectors. Source: Jacobi (1846); Golub, Van Loan, Matrix
 * computations (2013), section 8.5. */
#include "algos/linear_algebra/dense_eigenpairs.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The rows x and y of m numbers become c x - s y and s x + c y. */
static void rotate(uint64_t m, double *x, double *y, double c, double s) {
  for (uint64_t k = 0; k < m; k++) {
    const double left = x[k], right = y[k];
    x[k] = c * left - s * right;
    y[k] = s * left + c * right;
  }
}

/* Makes a(p,q) 0. */
static void annihilate(uint64_t m, double *a, double *vectors, uint64_t p, uint64_t q) {
  const double app = a[p * m + p], aqq = a[q * m + q], apq = a[p * m + q];
  const double theta = (aqq - app) / (2 * apq);
  const double t = copysign(1, theta) / (fabs(theta) + hypot(theta, 1)), c = 1 / hypot(t, 1), s = t * c;
  rotate(m, a + p * m, a + q * m, c, s);
  for (uint64_t k = 0; k < m; k++) { /* the columns follow the rows */
    a[k * m + p] = a[p * m + k];
    a[k * m + q] = a[q * m + k];
  }
  a[p * m + p] = app - t * apq;
  a[q * m + q] = aqq + t * apq;
  a[p * m + q] = a[q * m + p] = 0;
  rotate(m, vectors + p * m, vectors + q * m, c, s);
}

/* Puts the largest value first, then the next. */
static void sort(uint64_t m, double *value, double *vectors) {
  for (uint64_t c = 0; c < m; c++) {
    uint64_t most = c;
    for (uint64_t d = c + 1; d < m; d++)
      if (value[d] > value[most]) most = d;
    const double x = value[c];
    value[c] = value[most], value[most] = x;
    for (uint64_t k = 0; k < m; k++) {
      const double y = vectors[c * m + k];
      vectors[c * m + k] = vectors[most * m + k], vectors[most * m + k] = y;
    }
  }
}

void grid_dense_eigenpairs(uint64_t m, double *a, double *value, double *vectors) {
  enum { MOST_SWEEPS = 60 }; /* it converges quadratically: about ten are needed */
  double scale = 0;
  memset(vectors, 0, m * m * sizeof *vectors);
  for (uint64_t k = 0; k < m; k++) vectors[k * m + k] = 1;
  for (uint64_t k = 0; k < m * m; k++) scale = fmax(scale, fabs(a[k]));
  bool changed = true;
  for (int sweep = 0; sweep < MOST_SWEEPS && changed; sweep++) {
    changed = false;
    for (uint64_t p = 0; p < m; p++)
      for (uint64_t q = p + 1; q < m; q++) {
        if (fabs(a[p * m + q]) <= DBL_EPSILON * scale / 16) continue;
        annihilate(m, a, vectors, p, q);
        changed = true;
      }
  }
  for (uint64_t k = 0; k < m; k++) value[k] = a[k * m + k];
  sort(m, value, vectors);
}
