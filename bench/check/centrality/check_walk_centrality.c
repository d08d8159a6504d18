/* Katz and eigenvector centrality, hubs and authorities by their definitions, edge by edge. */
#include "bench/check/centrality/check_walk_centrality.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* y += factor * x A; back: A x. */
static void multiply(double *y, const double *x, const check_rows *out, double factor, bool back) {
  for (uint64_t v = 0; v < out->n; v++)
    for (uint64_t k = out->start[v]; k < out->start[v + 1]; k++) {
      const uint64_t w = out->to[k];
      const double weight = out->weight != NULL ? out->weight[k] : 1;
      if (back)
        y[v] += factor * weight * x[w];
      else
        y[w] += factor * weight * x[v];
    }
}

static void divide(double *x, uint64_t n, int power) {
  double sum = 0;
  for (uint64_t v = 0; v < n; v++) sum += power == 2 ? x[v] * x[v] : fabs(x[v]);
  if (power == 2) sum = sqrt(sum);
  for (uint64_t v = 0; v < n && sum != 0; v++) x[v] /= sum;
}

/* y, and of HITS the authorities z, from x. */
static void step(double *y, double *z, const double *x, const check_rows *out, const check_walk_job *is) {
  const uint64_t n = out->n;
  for (uint64_t v = 0; v < n; v++) {
    z[v] = 0;
    y[v] = is->kind == CHECK_KATZ ? (is->beta != NULL ? is->beta[v] : 1)
                                  : (is->kind == CHECK_EIGENVECTOR ? x[v] : 0);
  }
  if (is->kind == CHECK_HITS) {
    multiply(z, x, out, 1, false);
    divide(z, n, 1);
    multiply(y, z, out, 1, true);
    divide(y, n, 1);
  } else {
    multiply(y, x, out, is->kind == CHECK_KATZ ? is->alpha : 1, false);
    if (is->kind == CHECK_EIGENVECTOR) divide(y, n, 2);
  }
}

static void begin(double *x, uint64_t n, const check_walk_job *is) {
  double sum = 0;
  for (uint64_t v = 0; v < n; v++) {
    x[v] = is->start != NULL ? is->start[v] : (is->kind == CHECK_KATZ ? 0 : 1);
    sum += x[v];
  }
  for (uint64_t v = 0; v < n && is->kind != CHECK_KATZ; v++) x[v] /= sum;
}

static const char *compare(const double *value, const double *expected, const check_walk_job *is, uint64_t n,
                           char *text, size_t capacity) {
  double apart = 0, sum = 0;
  for (uint64_t v = 0; v < n; v++) {
    if (!(fabs(value[v]) <= 1e300)) {
      snprintf(text, capacity, "vertex number %" PRIu64 " has the value %g", v, value[v]);
      return text;
    }
    apart += fabs(value[v] - expected[v]), sum += fabs(expected[v]);
  }
  if (apart <= is->allowed * sum) return NULL;
  snprintf(text, capacity,
           "the values differ by %g in sum from those of a serial computation (%g is allowed)", apart,
           is->allowed * sum);
  return text;
}

/* Whether the last change is below the tolerance and the one before it is not, up to rounding. */
static const char *stopped_right(const double change[2], const check_walk_job *is, double slack, char *text,
                                 size_t capacity) {
  const bool late = is->iterations > 1 && change[1] < is->tolerance - slack,
             early = is->iterations < is->limit && !(change[0] < is->tolerance + slack);
  if (!late && !early && is->iterations <= is->limit) return NULL;
  snprintf(text, capacity, "%" PRIu64 " iterations are too %s: the last changes were %g and %g",
           is->iterations, early ? "few" : "many", change[1], change[0]);
  return text;
}

const char *check_walk_centrality(const check_graph *g, const check_walk_job *is, const double *value,
                                  const double *second, char *text, size_t capacity) {
  const uint64_t n = g->n;
  const char *why = check_no_memory;
  double change[2] = {0, 0}, sum = 0;
  check_rows out;
  if (!check_rows_make(&out, g, false)) return why;
  double *x = calloc(n + 1, sizeof *x), *y = calloc(n + 1, sizeof *y), *z = calloc(n + 1, sizeof *z);
  if (x != NULL && y != NULL && z != NULL) {
    begin(x, n, is);
    for (uint64_t t = 0; t < is->iterations && t <= is->limit; t++) {
      step(y, z, x, &out, is);
      change[1] = change[0], change[0] = 0;
      for (uint64_t v = 0; v < n; v++) change[0] += fabs(y[v] - x[v]), x[v] = y[v];
    }
    for (uint64_t v = 0; v < n; v++) sum += fabs(x[v]);
    why = stopped_right(change, is, 2 * is->allowed * sum, text, capacity);
    if (why == NULL && value != NULL) why = compare(value, x, is, n, text, capacity);
    if (why == NULL && second != NULL) {
      step(y, z, x, &out, is);
      why = compare(second, z, is, n, text, capacity);
    }
  }
  free(x), free(y), free(z);
  check_rows_free(&out);
  return why;
}
