/* An eigenvalue, its vector and their residual by their definitions. */
#include "bench/check/linear_algebra/check_power_iteration.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* (A x)(v) */
static double row_times(const check_rows *rows, uint64_t v, const double *x) {
  double sum = 0;
  for (uint64_t e = rows->start[v]; e < rows->start[v + 1]; e++)
    sum += (rows->weight == NULL ? 1 : rows->weight[e]) * x[rows->to[e]];
  return sum;
}

static const char *compare(const check_rows *rows, double value, const double *x, double residual, char *text,
                           size_t capacity) {
  double squares = 0, quotient = 0, of_product = 0, rest = 0;
  for (uint64_t v = 0; v < rows->n; v++) {
    const double w = row_times(rows, v, x), off = w - value * x[v];
    squares += x[v] * x[v], quotient += x[v] * w, of_product += w * w, rest += off * off;
  }
  const double norm = sqrt(of_product), off = norm > 0 ? sqrt(rest) / norm : 0;
  if (!(fabs(squares - (rows->n > 0)) <= 1e-9))
    snprintf(text, capacity, "the vector has the norm %.17g", sqrt(squares));
  else if (!(fabs(quotient - value) <= 1e-9 * norm))
    snprintf(text, capacity, "the value is %.17g, where its vector has %.17g", value, quotient);
  else if (!(fabs(off - residual) <= 1e-9))
    snprintf(text, capacity, "the residual is %g, where it is %g", residual, off);
  else
    return NULL;
  return text;
}

const char *check_power_iteration(const check_graph *g, double value, const double *x, double residual,
                                  char *text, size_t capacity) {
  check_rows rows;
  if (!check_rows_make(&rows, g, false)) return check_no_memory;
  const char *why = compare(&rows, value, x, residual, text, capacity);
  check_rows_free(&rows);
  return why;
}
