/* The cliques of k vertices, listed one by one in ascending order: each is extended by the larger vertices
 * that are neighbors of all its vertices. */
#include "bench/check/structure/check_clique_count.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  check_rows r;
  uint64_t *at; /* cliques at each vertex */
  bool no_memory;
} listing;

/* The cliques of a given one and `more` of the vertices in `from`, which are neighbors of all its vertices.
 */
static uint64_t extend(listing *l, const uint64_t *from, uint64_t n, uint64_t more) {
  if (more == 0) return 1;
  if (n < more) return 0;
  uint64_t *next = malloc(n * sizeof *next), found = 0;
  if (next == NULL) l->no_memory = true;
  for (uint64_t k = 0; !l->no_memory && k < n; k++) {
    uint64_t count = 0;
    for (uint64_t m = k + 1; more > 1 && m < n; m++)
      if (check_rows_find(&l->r, from[k], from[m]) < l->r.start[l->r.n]) next[count++] = from[m];
    const uint64_t cliques = extend(l, next, count, more - 1);
    l->at[from[k]] += cliques;
    found += cliques;
  }
  free(next);
  return found;
}

static const char *compare(const listing *l, uint64_t expected, uint64_t count, const double *per_vertex,
                           char *text, size_t capacity) {
  if (count != expected) {
    snprintf(text, capacity, "%" PRIu64 " cliques where there are %" PRIu64, count, expected);
    return text;
  }
  for (uint64_t v = 0; v < l->r.n; v++)
    if (per_vertex[v] != (double)l->at[v]) {
      snprintf(text, capacity, "vertex number %" PRIu64 " has %.17g cliques where it has %" PRIu64, v,
               per_vertex[v], l->at[v]);
      return text;
    }
  return NULL;
}

const char *check_clique_count(const check_graph *g, uint64_t k, uint64_t count, const double *per_vertex,
                               char *text, size_t capacity) {
  check_graph both = *g;
  listing l = {.at = calloc(g->n + 1, sizeof(uint64_t))};
  uint64_t *all = malloc((g->n + 1) * sizeof *all), found = 0;
  both.both_directions = true, both.loops = false, both.weight = NULL;
  l.no_memory = !check_rows_make(&l.r, &both, false) || l.at == NULL || all == NULL;
  for (uint64_t v = 0; !l.no_memory && v < g->n; v++) {
    uint64_t larger = 0;
    for (uint64_t e = l.r.start[v]; e < l.r.start[v + 1]; e++)
      if (l.r.to[e] > v) all[larger++] = l.r.to[e];
    const uint64_t cliques = extend(&l, all, larger, k - 1);
    l.at[v] += cliques;
    found += cliques;
  }
  const char *why = l.no_memory ? check_no_memory : compare(&l, found, count, per_vertex, text, capacity);
  check_rows_free(&l.r);
  free(l.at), free(all);
  return why;
}
