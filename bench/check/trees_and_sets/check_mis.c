/* The definition of a maximal independent set: one pass over the edges. */
#include "bench/check/trees_and_sets/check_mis.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* adjacent[v]: an edge connects v with a member. Returns the error that the edges show. */
static const char *look_at_edges(bool *adjacent, const check_graph *g, const double *member, char *text,
                                 size_t capacity) {
  for (uint64_t k = 0; k < g->m; k++) {
    const uint64_t v = g->from[k], w = g->to[k];
    if (v == w) continue;
    if (member[v] == 1 && member[w] == 1) {
      snprintf(text, capacity,
               "vertices number %" PRIu64 " and %" PRIu64 " have an edge, and both are members", v, w);
      return text;
    }
    if (member[v] == 1) adjacent[w] = true;
    if (member[w] == 1) adjacent[v] = true;
  }
  return NULL;
}

const char *check_mis(const check_graph *g, const double *member, char *text, size_t capacity) {
  bool *adjacent = calloc(g->n + 1, sizeof *adjacent);
  const char *why = adjacent == NULL ? check_no_memory : look_at_edges(adjacent, g, member, text, capacity);
  for (uint64_t v = 0; why == NULL && v < g->n; v++) {
    if (member[v] == 1 || (isnan(member[v]) && adjacent[v])) continue;
    snprintf(text, capacity,
             isnan(member[v]) ? "vertex number %" PRIu64 " is no member, and has no neighbour that is"
                              : "vertex number %" PRIu64 " has a value that is not 1",
             v);
    why = text;
  }
  free(adjacent);
  return why;
}
