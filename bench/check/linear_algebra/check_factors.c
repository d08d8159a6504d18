/* Gradient descent over the single ratings: each contributes to the gradients of a row and a column. */
#include "bench/check/linear_algebra/check_factors.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t splitmix(uint64_t x) {
  x += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

static void draw(double *F, uint64_t n, uint64_t k, double scale, uint64_t key) {
  for (uint64_t i = 0; i < n; i++)
    for (uint64_t f = 0; f < k; f++)
      F[i * k + f] = scale * ldexp((double)(splitmix(splitmix(i ^ key) + f) >> 11), -53);
}

typedef struct {
  uint64_t n, columns, k;
  double *P, *Q, *toP, *toQ; /* factors and gradients */
  double rate, lambda;
} descent;

/* The mean absolute rating, and the default rate; sums: workspace of as many numbers as there are columns. */
static double measure(descent *d, const check_rows *r, double *sums) {
  double all = 0, most = 0;
  for (uint64_t u = 0; u < d->n; u++) {
    double row = 0;
    for (uint64_t e = r->start[u]; e < r->start[u + 1]; e++) {
      row += fabs(r->weight[e]);
      sums[r->to[e]] += fabs(r->weight[e]);
    }
    all += row;
    most = fmax(most, row);
  }
  for (uint64_t v = 0; v < d->columns; v++) most = fmax(most, sums[v]);
  if (d->rate == 0) d->rate = most > 0 ? 0.5 / most : 0.5;
  return all > 0 ? all / (double)r->start[d->n] : 1;
}

/* Computes the gradients and the error. */
static double slope(descent *d, const check_rows *r) {
  const uint64_t k = d->k;
  double squares = 0;
  for (uint64_t i = 0; i < d->n * k; i++) d->toP[i] = -d->lambda * d->P[i];
  for (uint64_t i = 0; i < d->columns * k; i++) d->toQ[i] = -d->lambda * d->Q[i];
  for (uint64_t u = 0; u < d->n; u++)
    for (uint64_t e = r->start[u]; e < r->start[u + 1]; e++) {
      const double *p = d->P + u * k, *q = d->Q + r->to[e] * k;
      double miss = r->weight[e];
      for (uint64_t f = 0; f < k; f++) miss -= p[f] * q[f];
      squares += miss * miss;
      for (uint64_t f = 0; f < k; f++) {
        d->toP[u * k + f] += miss * q[f];
        d->toQ[r->to[e] * k + f] += miss * p[f];
      }
    }
  return r->start[d->n] > 0 ? sqrt(squares / (double)r->start[d->n]) : 0;
}

static const char *compare(const double *right, const double *given, uint64_t n, uint64_t k, char side,
                           double allowed, char *text, size_t capacity) {
  double largest = 0;
  for (uint64_t i = 0; i < n * k; i++) largest = fmax(largest, fabs(right[i]));
  for (uint64_t i = 0; i < n * k; i++)
    if (!(fabs(given[i] - right[i]) <= allowed * largest)) {
      snprintf(text, capacity, "%c(%" PRIu64 ",%" PRIu64 ") is %.12g where it should be %.12g", side, i / k,
               i % k, given[i], right[i]);
      return text;
    }
  return NULL;
}

static const char *descend(descent *d, const check_rows *r, const check_factors_job *is, const double *error,
                           char *text, size_t capacity) {
  for (uint64_t t = 0; t <= is->iterations; t++) {
    const double now = slope(d, r);
    if (!(fabs(error[t] - now) <= is->allowed * now)) {
      snprintf(text, capacity, "the error after %" PRIu64 " iterations is %.12g where it should be %.12g", t,
               error[t], now);
      return text;
    }
    if (t == is->iterations) break;
    for (uint64_t i = 0; i < d->n * d->k; i++) d->P[i] += d->rate * d->toP[i];
    for (uint64_t i = 0; i < d->columns * d->k; i++) d->Q[i] += d->rate * d->toQ[i];
  }
  return NULL;
}

const char *check_factors(const check_graph *g, const check_factors_job *is, const double *P, const double *Q,
                          const double *error, char *text, size_t capacity) {
  const uint64_t p = g->n * is->k + 1, q = is->columns * is->k + 1;
  check_rows r;
  const char *why = check_no_memory;
  if (!check_rows_make(&r, g, false)) return why;
  descent d = {g->n, is->columns, is->k, .rate = is->rate, .lambda = is->lambda};
  d.P = malloc(p * sizeof(double)), d.toP = malloc(p * sizeof(double));
  d.Q = malloc(q * sizeof(double)), d.toQ = calloc(q, sizeof(double));
  if (d.P != NULL && d.Q != NULL && d.toP != NULL && d.toQ != NULL) {
    const double scale = 2 * sqrt(measure(&d, &r, d.toQ) / (double)is->k);
    draw(d.P, g->n, is->k, scale, 2 * is->seed);
    draw(d.Q, is->columns, is->k, scale, 2 * is->seed + 1);
    why = descend(&d, &r, is, error, text, capacity);
    if (why == NULL) why = compare(d.P, P, g->n, is->k, 'P', is->allowed, text, capacity);
    if (why == NULL) why = compare(d.Q, Q, is->columns, is->k, 'Q', is->allowed, text, capacity);
  }
  free(d.P), free(d.Q), free(d.toP), free(d.toQ);
  check_rows_free(&r);
  return why;
}
