/* The density of a subgraph by counting its edges, and that of the best one which remains when vertices of
 * the least degree are removed one by one (Charikar, 2000). Vertices wait in lists by degree; one whose
 * degree has changed is in several lists, and only the last of these counts. */
#include "bench/check/structure/check_densest_subgraph.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  uint64_t *degree, *vertex, *next, *first; /* list d: first[d], then next[]; entries of vertex[] */
  uint64_t used;
  bool *gone;
} waiting;

static const uint64_t NONE = UINT64_MAX;

static void enter(waiting *w, uint64_t v) {
  const uint64_t d = w->degree[v];
  w->vertex[w->used] = v;
  w->next[w->used] = w->first[d];
  w->first[d] = w->used++;
}

static double peel(waiting *w, const check_rows *r) {
  uint64_t edges = r->start[r->n] / 2, least = 0;
  double best = 0;
  for (uint64_t d = 0; d <= r->n; d++) w->first[d] = NONE;
  for (uint64_t v = 0; v < r->n; v++) w->degree[v] = r->start[v + 1] - r->start[v], enter(w, v);
  for (uint64_t left = r->n; left > 0; left--) {
    best = fmax(best, (double)edges / (double)left);
    uint64_t v = NONE;
    while (v == NONE) {
      while (w->first[least] == NONE) least++;
      const uint64_t at = w->first[least];
      w->first[least] = w->next[at];
      if (!w->gone[w->vertex[at]] && w->degree[w->vertex[at]] == least) v = w->vertex[at];
    }
    w->gone[v] = true;
    edges -= least;
    for (uint64_t k = r->start[v]; k < r->start[v + 1]; k++)
      if (!w->gone[r->to[k]]) w->degree[r->to[k]]--, enter(w, r->to[k]);
    least -= least > 0;
  }
  return best;
}

static const char *compare(const check_rows *r, const double *member, double density, double best, char *text,
                           size_t capacity) {
  uint64_t vertices = 0, ends = 0;
  for (uint64_t v = 0; v < r->n; v++) {
    if (isnan(member[v])) continue;
    if (member[v] != 1) return "a member has a value other than 1";
    vertices++;
    for (uint64_t k = r->start[v]; k < r->start[v + 1]; k++) ends += !isnan(member[r->to[k]]);
  }
  const double want = vertices == 0 ? 0 : (double)ends / 2 / (double)vertices;
  if (fabs(density - want) > 1e-12 * want || (vertices == 0 && r->n > 0))
    snprintf(text, capacity, "the density is %.17g, where %" PRIu64 " vertices have %.17g", density, vertices,
             want);
  else if (2 * density < best * (1 - 1e-12))
    snprintf(text, capacity, "the density is %.17g, where a subgraph has %.17g", density, best);
  else
    return NULL;
  return text;
}

const char *check_densest_subgraph(const check_graph *g, const double *member, double density, char *text,
                                   size_t capacity) {
  check_graph both = *g;
  check_rows r;
  both.both_directions = true, both.loops = false, both.weight = NULL;
  if (!check_rows_make(&r, &both, false)) return check_no_memory;
  const uint64_t entries = g->n + r.start[g->n] + 1;
  waiting w = {.degree = calloc(g->n + 1, sizeof(uint64_t)),
               .vertex = calloc(entries, sizeof(uint64_t)),
               .next = calloc(entries, sizeof(uint64_t)),
               .first = calloc(g->n + 1, sizeof(uint64_t)),
               .gone = calloc(g->n + 1, sizeof(bool))};
  const char *why = check_no_memory;
  if (w.degree != NULL && w.vertex != NULL && w.next != NULL && w.first != NULL && w.gone != NULL)
    why = compare(&r, member, density, peel(&w, &r), text, capacity);
  free(w.degree), free(w.vertex), free(w.next), free(w.first), free(w.gone);
  check_rows_free(&r);
  return why;
}
