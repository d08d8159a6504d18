/* Heat, neural networks and circuits, vertex by vertex: every iteration computes all of them. */
#include "bench/check/linear_algebra/check_vertex_program.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double chosen_rate(const check_vertex_job *is, const check_rows *in) {
  double most = 0;
  if (is->rate != 0 || is->kind == CHECK_CIRCUIT) return is->rate;
  for (uint64_t v = 0; v < in->n; v++) {
    double sum = 0;
    for (uint64_t k = in->start[v]; k < in->start[v + 1]; k++) sum += fabs(in->weight[k]);
    most = fmax(most, sum);
  }
  return (is->kind == CHECK_HEAT ? 0.5 : 1) / (most > 0 ? most : 1);
}

/* The next value of v. */
static double next(const check_vertex_job *is, const check_rows *in, const double *x, uint64_t v,
                   double rate) {
  double sum = 0, weights = 0;
  if (in->start[v] == in->start[v + 1]) return x[v];
  if (is->kind == CHECK_CIRCUIT && !isnan(is->start[v])) return x[v];
  for (uint64_t k = in->start[v]; k < in->start[v + 1]; k++) {
    const double other = x[in->to[k]];
    sum += in->weight[k] * (is->kind == CHECK_HEAT ? other - x[v] : other);
    weights += in->weight[k];
  }
  if (is->kind == CHECK_HEAT) return x[v] + rate * sum;
  if (is->kind == CHECK_NEURAL) return tanh(rate * sum);
  return weights > 0 ? sum / weights : x[v];
}

/* x becomes the values after the answer's number of iterations; change those of the last iteration and of
 * the one before it. */
static void iterate(double *x, double *y, double change[2], const check_vertex_job *is,
                    const check_rows *in) {
  const double rate = chosen_rate(is, in);
  change[0] = change[1] = 0;
  for (uint64_t v = 0; v < in->n; v++) x[v] = isnan(is->start[v]) ? 0 : is->start[v];
  for (uint64_t t = 0; t < is->iterations; t++) {
    change[1] = change[0], change[0] = 0;
    for (uint64_t v = 0; v < in->n; v++) {
      y[v] = next(is, in, x, v, rate);
      change[0] = fmax(change[0], fabs(y[v] - x[v]));
    }
    for (uint64_t v = 0; v < in->n; v++) x[v] = y[v];
  }
}

static const char *judge(const check_vertex_job *is, const double *x, const double change[2],
                         const double *value, uint64_t n, char *text, size_t capacity) {
  const uint64_t t = is->iterations;
  if (t > is->limit || (t < is->limit && !(change[0] <= is->tolerance + is->allowed)) ||
      (t > 1 && !(change[1] + is->allowed >= is->tolerance)) || (t == 0 && is->limit > 0)) {
    snprintf(text, capacity, "it ended after %" PRIu64 " iterations, the last changes of which are %g and %g",
             t, change[1], change[0]);
    return text;
  }
  if (!(fabs(is->change - change[0]) <= is->allowed)) {
    snprintf(text, capacity, "the last iteration changed %g, the answer says %g", change[0], is->change);
    return text;
  }
  for (uint64_t v = 0; v < n; v++)
    if (!(fabs(value[v] - x[v]) <= is->allowed)) {
      snprintf(text, capacity, "vertex number %" PRIu64 " has the value %.12g where it should be %.12g", v,
               value[v], x[v]);
      return text;
    }
  return NULL;
}

const char *check_vertex(const check_graph *g, const check_vertex_job *is, const double *value, char *text,
                         size_t capacity) {
  check_rows in;
  double change[2];
  const char *why = check_no_memory;
  if (!check_rows_make(&in, g, true)) return why;
  double *x = malloc((g->n + 1) * sizeof *x), *y = malloc((g->n + 1) * sizeof *y);
  if (x != NULL && y != NULL) {
    iterate(x, y, change, is, &in);
    why = judge(is, x, change, value, g->n, text, capacity);
  }
  free(x), free(y);
  check_rows_free(&in);
  return why;
}
