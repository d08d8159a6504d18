/* The definition of a vertex cover without vertices to spare, from the list of edges. */
#include "bench/check/trees_and_sets/check_vertex_cover.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* needed[v]: an edge of v leads outside the cover. */
static const char *check_edges(bool *needed, const check_graph *g, const double *cover, char *text,
                               size_t capacity) {
  for (uint64_t k = 0; k < g->m; k++) {
    const uint64_t v = g->from[k], w = g->to[k];
    if (v == w) continue;
    if (isnan(cover[v]) && isnan(cover[w])) {
      snprintf(text, capacity, "the edge of vertices number %" PRIu64 " and %" PRIu64 " has no end in it", v,
               w);
      return text;
    }
    if (isnan(cover[v])) needed[w] = true;
    if (isnan(cover[w])) needed[v] = true;
  }
  return NULL;
}

static const char *check_vertices(const bool *needed, uint64_t n, const double *cover, uint64_t bound,
                                  char *text, size_t capacity) {
  uint64_t count = 0;
  for (uint64_t v = 0; v < n; v++) {
    if (isnan(cover[v])) continue;
    count++;
    if (cover[v] == 1 && needed[v]) continue;
    snprintf(text, capacity, "vertex number %" PRIu64 " %s", v,
             cover[v] == 1 ? "is not needed in the cover" : "has a value other than 1");
    return text;
  }
  if (bound <= count && count <= 2 * bound) return NULL;
  snprintf(text, capacity, "%" PRIu64 " vertices, where the lower bound is %" PRIu64, count, bound);
  return text;
}

const char *check_vertex_cover(const check_graph *g, const double *cover, uint64_t bound, char *text,
                               size_t capacity) {
  bool *needed = calloc(g->n + 1, sizeof *needed);
  const char *why = needed == NULL ? check_no_memory : check_edges(needed, g, cover, text, capacity);
  if (why == NULL) why = check_vertices(needed, g->n, cover, bound, text, capacity);
  free(needed);
  return why;
}
