/* The residual of a solution, row by row. */
#include "bench/check/linear_algebra/check_conjugate_gradient.h"

#include <math.h>
#include <stdio.h>

typedef struct {
  const check_rows *rows;
  const double *x;
  double laplacian;
} equations;

/* Row v of A x; *size: the sum of the absolute values of its terms. */
static double row_product(double *size, const equations *e, uint64_t v) {
  const double *x = e->x;
  double sum = e->laplacian * x[v];
  *size = fabs(sum);
  for (uint64_t k = e->rows->start[v]; k < e->rows->start[v + 1]; k++) {
    const uint64_t w = e->rows->to[k];
    const double weight = e->rows->weight == NULL ? 1 : e->rows->weight[k];
    if (e->laplacian == 0) {
      sum += weight * x[w];
      *size += fabs(weight * x[w]);
    } else if (w != v) {
      sum += weight * (x[v] - x[w]);
      *size += fabs(weight) * (fabs(x[v]) + fabs(x[w]));
    }
  }
  return sum;
}

const char *check_conjugate_gradient(const check_graph *g, const double *x, const double *right,
                                     double laplacian, double residual, char *text, size_t capacity) {
  check_rows r;
  double squares = 0, right_squares = 0, sizes = 0;
  if (!check_rows_make(&r, g, false)) return check_no_memory;
  const equations e = {&r, x, laplacian};
  for (uint64_t v = 0; v < g->n; v++) {
    double size;
    const double b = isnan(right[v]) ? 0 : right[v], rest = b - row_product(&size, &e, v);
    squares += rest * rest, right_squares += b * b;
    sizes += (size + fabs(b)) * (size + fabs(b));
  }
  check_rows_free(&r);
  if (fabs(sqrt(squares) - residual * sqrt(right_squares)) <= 1e-10 * sqrt(sizes)) return NULL;
  snprintf(text, capacity, "the residual is %.6g where the answer says %.6g", sqrt(squares / right_squares),
           residual);
  return text;
}
