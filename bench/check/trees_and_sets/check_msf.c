/* A minimum spanning forest by Kruskal's method: goes through the sorted edges and takes each that connects
 * two components. */
#include "bench/check/trees_and_sets/check_msf.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  uint64_t low, high;
  double weight;
} edge;

static int by_ends(const void *a, const void *b) {
  const edge *x = a, *y = b;
  if (x->low != y->low) return x->low < y->low ? -1 : 1;
  return (x->high > y->high) - (x->high < y->high);
}

static int by_weight(const void *a, const void *b) {
  const edge *x = a, *y = b;
  if (x->weight < y->weight) return -1;
  return x->weight > y->weight ? 1 : by_ends(a, b);
}

static uint64_t root_of(uint64_t *up, uint64_t v) {
  while (up[v] != v) v = up[v] = up[up[v]];
  return v;
}

/* Moves the edges of the forest to the front of `all`; returns their number. */
static uint64_t kruskal(edge *all, uint64_t m, uint64_t *up, uint64_t n) {
  uint64_t taken = 0;
  for (uint64_t v = 0; v < n; v++) up[v] = v;
  qsort(all, m, sizeof *all, by_weight);
  for (uint64_t k = 0; k < m; k++) {
    const uint64_t a = root_of(up, all[k].low), b = root_of(up, all[k].high);
    if (a == b) continue;
    up[a] = b;
    all[taken++] = all[k];
  }
  return taken;
}

static const char *compare(const edge *right, uint64_t count, const edge *given, uint64_t entries, char *text,
                           size_t capacity) {
  for (uint64_t k = 0; k < count || k < entries; k++) {
    const int order = k == count ? 1 : k == entries ? -1 : by_ends(&right[k], &given[k]);
    if (order == 0 && right[k].weight == given[k].weight) continue;
    const edge *e = order <= 0 ? &right[k] : &given[k];
    snprintf(text, capacity,
             order == 0 ? "the edge between vertices number %" PRIu64 " and %" PRIu64
                          " weighs %.17g, the answer says otherwise"
             : order < 0 ? "the edge between vertices number %" PRIu64 " and %" PRIu64
                           " of weight %.17g belongs to the forest, and is missing"
                         : "the edge between vertices number %" PRIu64 " and %" PRIu64
                           " of weight %.17g does not belong to the forest, or is there twice",
             e->low, e->high, e->weight);
    return text;
  }
  return NULL;
}

const char *check_msf(const check_graph *g, const uint64_t *row, const uint64_t *col, const double *value,
                      uint64_t entries, char *text, size_t capacity) {
  edge *all = malloc((g->m + 1) * sizeof *all), *given = malloc((entries + 1) * sizeof *given);
  uint64_t *up = malloc((g->n + 1) * sizeof *up), m = 0;
  const char *why = check_no_memory;
  if (all != NULL && given != NULL && up != NULL) {
    for (uint64_t k = 0; k < g->m; k++) {
      const uint64_t v = g->from[k], w = g->to[k];
      if (v != w) all[m++] = (edge){v < w ? v : w, v < w ? w : v, g->weight[k]};
    }
    const uint64_t count = kruskal(all, m, up, g->n);
    qsort(all, count, sizeof *all, by_ends);
    for (uint64_t k = 0; k < entries; k++) given[k] = (edge){row[k], col[k], value[k]};
    qsort(given, entries, sizeof *given, by_ends);
    why = compare(all, count, given, entries, text, capacity);
  }
  free(all), free(given), free(up);
  return why;
}
