/* PageRank by its definition, edge by edge, in double precision. */
#include "bench/check/centrality/check_pagerank.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* One iteration; returns the L1 norm of the change. */
static double iterate(double *next, const double *rank, const check_rows *out, const double *restart,
                      const check_pagerank_job *job) {
  double lost = 0, change = 0;
  for (uint64_t v = 0; v < out->n; v++)
    if (out->start[v] == out->start[v + 1]) lost += rank[v];
  if (job->plain) lost = 0;
  for (uint64_t v = 0; v < out->n; v++) next[v] = (1 - job->damping + job->damping * lost) * restart[v];
  for (uint64_t v = 0; v < out->n; v++) {
    const uint64_t degree = out->start[v + 1] - out->start[v];
    for (uint64_t k = out->start[v]; k < out->start[v + 1]; k++)
      next[out->to[k]] += job->damping * rank[v] / (double)degree;
  }
  for (uint64_t v = 0; v < out->n; v++) change += fabs(next[v] - rank[v]);
  return change;
}

/* change[0] and change[1] become those of the last iteration and of the one before it. */
static void power(double **rank, double **next, double change[2], const check_rows *out,
                  const double *restart, const check_pagerank_job *job, uint64_t iterations) {
  for (uint64_t k = 0; k < iterations; k++) {
    change[1] = change[0];
    change[0] = iterate(*next, *rank, out, restart, job);
    double *swap = *rank;
    *rank = *next, *next = swap;
  }
}

static const char *compare(const double *rank, const double *expected, const check_pagerank_job *job,
                           uint64_t n, char *text, size_t capacity) {
  double apart = 0, sum = 0;
  for (uint64_t v = 0; v < n; v++) {
    if (!(fabs(rank[v]) <= 1e300)) {
      snprintf(text, capacity, "vertex number %" PRIu64 " has the rank %g", v, rank[v]);
      return text;
    }
    apart += fabs(rank[v] - expected[v]);
    sum += expected[v];
  }
  if (apart <= job->allowed * sum) return NULL;
  snprintf(text, capacity, "the ranks differ by %g in sum from those of a serial computation (%g is allowed)",
           apart, job->allowed * sum);
  return text;
}

/* Whether the last change is below the tolerance and the one before it is not, up to rounding. */
static const char *stopped_right(const double change[2], const check_pagerank_job *job, uint64_t iterations,
                                 char *text, size_t capacity) {
  const double slack = 2 * job->allowed;
  const bool late = iterations > 1 && change[1] < job->tolerance - slack,
             early = iterations < job->limit && change[0] >= job->tolerance + slack;
  if (!late && !early) return NULL;
  snprintf(text, capacity, "%" PRIu64 " iterations are too %s: the last changes were %g and %g", iterations,
           late ? "many" : "few", change[1], change[0]);
  return text;
}

const char *check_pagerank(const check_graph *g, const check_pagerank_job *job, const double *rank,
                           uint64_t iterations, char *text, size_t capacity) {
  const uint64_t n = g->n;
  const char *why = check_no_memory;
  double change[2] = {0, 0};
  check_rows out;
  if (!check_rows_make(&out, g, false)) return why;
  double *restart = calloc(n, sizeof *restart), *expected = calloc(n, sizeof *expected),
         *next = calloc(n, sizeof *next);
  if (restart != NULL && expected != NULL && next != NULL) {
    for (uint64_t k = 0; k < job->nsources; k++) restart[job->source[k]] = 1.0;
    double given = 0;
    for (uint64_t v = 0; v < n; v++) given += restart[v];
    for (uint64_t v = 0; v < n; v++)
      expected[v] = restart[v] = job->nsources > 0 ? restart[v] / given : 1.0 / (double)n;
    power(&expected, &next, change, &out, restart, job, iterations);
    why = iterations > job->limit ? "more iterations than the limit"
                                  : compare(rank, expected, job, n, text, capacity);
    if (why == NULL) why = stopped_right(change, job, iterations, text, capacity);
  }
  free(restart), free(expected), free(next);
  check_rows_free(&out);
  return why;
}
