/* Closeness and harmonic centrality from a search of each source. */
#include "bench/check/centrality/check_closeness.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Of the other sources, for each vertex. */
typedef struct {
  uint64_t others, reached, sum;
  double inverse_sum;
} distances;

static void add_source(distances *d, const int64_t *level, uint64_t n, uint64_t source) {
  for (uint64_t v = 0; v < n; v++) {
    if (v == source) continue;
    d[v].others++;
    if (level[v] < 0) continue;
    d[v].reached++;
    d[v].sum += (uint64_t)level[v];
    d[v].inverse_sum += 1 / (double)level[v];
  }
}

static bool is_close(double x, double want, double allowed) {
  return fabs(x - want) <= allowed * fabs(want);
}

static const char *compare(const distances *d, uint64_t n, const double *closeness, const double *harmonic,
                           double allowed, char *text, size_t capacity) {
  for (uint64_t v = 0; v < n; v++) {
    const double reached = (double)d[v].reached,
                 want = reached > 0 ? reached / (double)d[v].sum * (reached / (double)d[v].others) : 0;
    const bool wrong = !is_close(closeness[v], want, allowed);
    if (!wrong && is_close(harmonic[v], d[v].inverse_sum, allowed)) continue;
    snprintf(text, capacity, "vertex number %" PRIu64 " has the %s centrality %.15g, the answer says %.15g",
             v, wrong ? "closeness" : "harmonic", wrong ? want : d[v].inverse_sum,
             wrong ? closeness[v] : harmonic[v]);
    return text;
  }
  return NULL;
}

const char *check_closeness(const check_graph *g, const uint64_t *source, uint64_t nsources,
                            const double *closeness, const double *harmonic, double allowed, char *text,
                            size_t capacity) {
  const char *why = check_no_memory;
  check_rows out;
  if (!check_rows_make(&out, g, false)) return why;
  distances *d = calloc(g->n + 1, sizeof *d);
  int64_t *level = malloc((g->n + 1) * sizeof *level);
  uint64_t *queue = malloc((g->n + 1) * sizeof *queue);
  if (d != NULL && level != NULL && queue != NULL) {
    for (uint64_t k = 0; k < (source != NULL ? nsources : g->n); k++) {
      const uint64_t s = source != NULL ? source[k] : k;
      check_search(level, queue, &out, s, -1);
      add_source(d, level, g->n, s);
    }
    why = compare(d, g->n, closeness, harmonic, allowed, text, capacity);
  }
  free(d), free(level), free(queue);
  check_rows_free(&out);
  return why;
}
