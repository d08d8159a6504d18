/* Gradients, rating by rating. A gradient is 0 but for rounding if it is small beside the sum of the absolute
 * values of its terms. */
#include "bench/check/linear_algebra/check_als.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* P(u) Q(v) - rating; *size: the sum of the absolute values. */
static double miss(double *size, const double *p, const double *q, uint64_t k, double rating) {
  double sum = -rating;
  *size = fabs(rating);
  for (uint64_t f = 0; f < k; f++) {
    sum += p[f] * q[f];
    *size += fabs(p[f] * q[f]);
  }
  return sum;
}

static void add_ratings(double *slope, double *size, const check_rows *r, const check_als_job *is,
                        const double *P, const double *Q) {
  const uint64_t k = is->k;
  for (uint64_t u = 0; u < r->n; u++)
    for (uint64_t e = r->start[u]; e < r->start[u + 1]; e++) {
      const uint64_t v = r->to[e];
      double terms;
      const double by = miss(&terms, P + u * k, Q + v * k, k, r->weight[e]);
      for (uint64_t f = 0; f < k; f++) {
        const double p = P[u * k + f], q = Q[v * k + f];
        slope[v * k + f] += by * p + is->lambda * q;
        size[v] += terms * fabs(p) + fabs(is->lambda * q);
      }
    }
}

const char *check_als_rows(const check_graph *g, const check_als_job *is, const double *P, const double *Q,
                           char *text, size_t capacity) {
  const char *why = check_no_memory;
  const uint64_t k = is->k;
  check_rows r;
  if (!check_rows_make(&r, g, false)) return why;
  double *slope = calloc(is->columns * k + 1, sizeof *slope), *size = calloc(is->columns + 1, sizeof *size);
  if (slope != NULL && size != NULL) {
    why = NULL;
    add_ratings(slope, size, &r, is, P, Q);
    for (uint64_t i = 0; why == NULL && i < is->columns * k; i++) {
      const bool rated = size[i / k] > 0;
      if (rated ? fabs(slope[i]) <= is->allowed * size[i / k] : Q[i] == 0) continue;
      snprintf(text, capacity, "row %" PRIu64 " has the gradient %g at number %" PRIu64 ", which is %g",
               i / k, slope[i], i % k, Q[i]);
      why = text;
    }
  }
  free(slope), free(size);
  check_rows_free(&r);
  return why;
}

const char *check_als_error(const check_graph *g, const check_als_job *is, const double *P, const double *Q,
                            double error, char *text, size_t capacity) {
  double squares = 0, most = 0;
  check_rows r;
  if (!check_rows_make(&r, g, false)) return check_no_memory;
  const uint64_t ratings = r.start[r.n];
  for (uint64_t u = 0; u < r.n; u++)
    for (uint64_t e = r.start[u]; e < r.start[u + 1]; e++) {
      double terms;
      const double by = miss(&terms, P + u * is->k, Q + r.to[e] * is->k, is->k, r.weight[e]);
      squares += by * by;
      most = fmax(most, terms);
    }
  check_rows_free(&r);
  const double expected = ratings > 0 ? sqrt(squares / (double)ratings) : 0;
  if (fabs(error - expected) <= is->allowed * most) return NULL;
  snprintf(text, capacity, "the error is %.12g where it should be %.12g", error, expected);
  return text;
}
