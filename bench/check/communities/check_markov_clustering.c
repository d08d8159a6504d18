/* Markov clustering by the definition, row by row with a full array, and clusters by joining sets. Numbers
 * are rounded as the definition in include/gridblas_algos.h says. */
#include "bench/check/communities/check_markov_clustering.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Steps from each vertex, with their probabilities in units of 2^-26. */
typedef struct {
  uint64_t *count, **to;
  double **p;
} steps;

typedef struct {
  uint64_t n;
  steps now, next;
  double *sum; /* of the row in work */
} walks;

static bool steps_make(steps *s, uint64_t n) {
  s->count = calloc(n + 1, sizeof *s->count);
  s->to = calloc(n + 1, sizeof *s->to);
  s->p = calloc(n + 1, sizeof *s->p);
  return s->count != NULL && s->to != NULL && s->p != NULL;
}

static void steps_free(steps *s, uint64_t n) {
  for (uint64_t v = 0; s->to != NULL && v < n; v++) free(s->to[v]);
  for (uint64_t v = 0; s->p != NULL && v < n; v++) free(s->p[v]);
  free(s->count), free(s->to), free(s->p);
}

/* Row v of s becomes what `sum` has above 0, divided by its sum; sum becomes 0. */
static bool store_row(steps *s, uint64_t v, double *sum, uint64_t n) {
  double all = 0;
  uint64_t count = 0;
  for (uint64_t w = 0; w < n; w++) all += sum[w], count += sum[w] > 0;
  free(s->to[v]), free(s->p[v]);
  s->to[v] = malloc((count + 1) * sizeof *s->to[v]);
  s->p[v] = malloc((count + 1) * sizeof *s->p[v]);
  s->count[v] = 0;
  if (s->to[v] == NULL || s->p[v] == NULL) return false;
  for (uint64_t w = 0; w < n; w++) {
    const double p = sum[w] > 0 ? round(sum[w] * (0x1p26 / all)) : 0;
    if (p > 0) s->to[v][s->count[v]] = w, s->p[v][s->count[v]++] = p;
  }
  memset(sum, 0, n * sizeof *sum);
  return true;
}

static void add_edges(double *sum, const check_rows *r, uint64_t v) {
  for (uint64_t k = r->start[v]; k < r->start[v + 1]; k++)
    if (r->to[k] != v) sum[r->to[k]] += r->weight != NULL ? r->weight[k] : 1;
}

static bool first_steps(walks *w, const check_graph *g) {
  check_rows out = {0}, in = {0};
  bool made = check_rows_make(&out, g, false) && check_rows_make(&in, g, true);
  for (uint64_t v = 0; made && v < w->n; v++) {
    double most = 0;
    add_edges(w->sum, &out, v);
    if (!g->both_directions) add_edges(w->sum, &in, v);
    for (uint64_t u = 0; u < w->n; u++) most = w->sum[u] > most ? w->sum[u] : most;
    w->sum[v] = most > 0 ? most : 1;
    made = store_row(&w->now, v, w->sum, w->n);
  }
  check_rows_free(&out), check_rows_free(&in);
  return made;
}

/* The row of v after an iteration. */
static bool iterate_row(walks *w, uint64_t v, double inflation) {
  double most = 0;
  for (uint64_t k = 0; k < w->now.count[v]; k++) {
    const uint64_t u = w->now.to[v][k];
    for (uint64_t l = 0; l < w->now.count[u]; l++) w->sum[w->now.to[u][l]] += w->now.p[v][k] * w->now.p[u][l];
  }
  for (uint64_t u = 0; u < w->n; u++) most = w->sum[u] > most ? w->sum[u] : most;
  for (uint64_t u = 0; u < w->n; u++) {
    const double share = w->sum[u] * (1 / most);
    w->sum[u] = share >= 1e-3 ? round(pow(share, inflation) * 0x1p32) : 0;
  }
  return store_row(&w->next, v, w->sum, w->n);
}

static double probability(const steps *s, uint64_t v, uint64_t w) {
  for (uint64_t k = 0; k < s->count[v]; k++)
    if (s->to[v][k] == w) return s->p[v][k];
  return 0;
}

/* The largest difference of a probability in a and not less in b. */
static double largest_change(const steps *a, const steps *b, uint64_t n) {
  double most = 0;
  for (uint64_t v = 0; v < n; v++)
    for (uint64_t k = 0; k < a->count[v]; k++)
      most = fmax(most, fabs(a->p[v][k] - probability(b, v, a->to[v][k])));
  return most;
}

/* Returns false if memory is short. */
static bool walk(walks *w, uint64_t *iterations, double inflation, uint64_t limit) {
  double change = INFINITY;
  for (*iterations = 0; *iterations < limit && change > 1024; ++*iterations) {
    for (uint64_t v = 0; v < w->n; v++)
      if (!iterate_row(w, v, inflation)) return false;
    change = fmax(largest_change(&w->now, &w->next, w->n), largest_change(&w->next, &w->now, w->n));
    const steps old = w->now;
    w->now = w->next, w->next = old;
  }
  return true;
}

/* The smallest vertex of v's set. */
static uint64_t find(uint64_t *parent, uint64_t v) {
  while (parent[v] != v) v = parent[v] = parent[parent[v]];
  return v;
}

static const char *compare(const walks *w, uint64_t *parent, const double *cluster, char *text,
                           size_t capacity) {
  for (uint64_t v = 0; v < w->n; v++) parent[v] = v;
  for (uint64_t v = 0; v < w->n; v++)
    for (uint64_t k = 0; k < w->now.count[v]; k++) {
      const uint64_t a = find(parent, v), b = find(parent, w->now.to[v][k]);
      parent[a < b ? b : a] = a < b ? a : b;
    }
  for (uint64_t v = 0; v < w->n; v++) {
    const uint64_t want = find(parent, v);
    if (cluster[v] == (double)want) continue;
    snprintf(text, capacity, "vertex number %" PRIu64 " is in cluster %" PRIu64 ", the answer says %.17g", v,
             want, cluster[v]);
    return text;
  }
  return NULL;
}

const char *check_markov_clustering(const check_graph *g, const double *cluster, uint64_t iterations,
                                    double inflation, uint64_t limit, char *text, size_t capacity) {
  walks w = {.n = g->n, .sum = calloc(g->n + 1, sizeof *w.sum)};
  uint64_t *parent = malloc((g->n + 1) * sizeof *parent), count = 0;
  const char *why = NULL;
  if (w.sum == NULL || parent == NULL || !steps_make(&w.now, g->n) || !steps_make(&w.next, g->n) ||
      !first_steps(&w, g) || !walk(&w, &count, inflation, limit))
    why = check_no_memory;
  if (why == NULL) why = compare(&w, parent, cluster, text, capacity);
  if (why == NULL && count != iterations) {
    snprintf(text, capacity, "%" PRIu64 " iterations, the answer says %" PRIu64, count, iterations);
    why = text;
  }
  steps_free(&w.now, g->n), steps_free(&w.next, g->n);
  free(w.sum), free(parent);
  return why;
}
