/* Core numbers by removing the vertex of least degree repeatedly. The vertices are in an array sorted by
 * degree, with the position where each degree begins (Batagelj, Zaversnik, 2003). */
#include "bench/check/structure/check_kcore.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  uint64_t *degree, *vertex, *position; /* vertex[position[v]] == v, sorted by degree */
  uint64_t *begin;                      /* the position in vertex where each degree begins */
} order;

static void sort(order *o, const check_rows *r) {
  const uint64_t n = r->n;
  for (uint64_t v = 0; v < n; v++) {
    o->degree[v] = r->start[v + 1] - r->start[v];
    o->begin[o->degree[v] + 1]++;
  }
  for (uint64_t d = 0; d < n; d++) o->begin[d + 1] += o->begin[d];
  for (uint64_t v = 0; v < n; v++) {
    o->position[v] = o->begin[o->degree[v]]++;
    o->vertex[o->position[v]] = v;
  }
  for (uint64_t d = n; d > 0; d--) o->begin[d] = o->begin[d - 1];
  o->begin[0] = 0;
}

/* Swaps v with the first vertex of its degree, which then begins after it, and decrements the degree of v. */
static void lower(order *o, uint64_t v) {
  const uint64_t front = o->begin[o->degree[v]]++, w = o->vertex[front], was = o->position[v];
  o->vertex[front] = v, o->position[v] = front;
  o->vertex[was] = w, o->position[w] = was;
  o->degree[v]--;
}

/* degree becomes the core number. */
static void peel(order *o, const check_rows *r) {
  for (uint64_t k = 0; k < r->n; k++) {
    const uint64_t v = o->vertex[k];
    for (uint64_t l = r->start[v]; l < r->start[v + 1]; l++)
      if (o->degree[r->to[l]] > o->degree[v]) lower(o, r->to[l]);
  }
}

const char *check_kcore(const check_graph *g, const double *core, char *text, size_t capacity) {
  check_graph both = *g;
  check_rows r;
  const char *why = NULL;
  both.both_directions = true, both.loops = false, both.weight = NULL;
  if (!check_rows_make(&r, &both, false)) return check_no_memory;
  order o = {calloc(g->n, sizeof(uint64_t)), calloc(g->n, sizeof(uint64_t)), calloc(g->n, sizeof(uint64_t)),
             calloc(g->n + 1, sizeof(uint64_t))};
  if (o.degree == NULL || o.vertex == NULL || o.position == NULL || o.begin == NULL) {
    why = check_no_memory;
  } else {
    sort(&o, &r);
    peel(&o, &r);
  }
  for (uint64_t v = 0; why == NULL && v < g->n; v++)
    if (!(core[v] == (double)o.degree[v])) {
      snprintf(text, capacity, "vertex number %" PRIu64 " has the core number %g where it is %" PRIu64, v,
               core[v], o.degree[v]);
      why = text;
    }
  free(o.degree), free(o.vertex), free(o.position), free(o.begin);
  check_rows_free(&r);
  return why;
}
