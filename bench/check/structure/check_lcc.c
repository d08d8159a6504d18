/* Local clustering coefficients by their definition: marks the neighbors of each vertex and looks up the
 * ends of all their edges. */
#include "bench/check/structure/check_lcc.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Edges out of each vertex, neighbors in either direction, and the marks of the current vertex's neighbors.
 */
typedef struct {
  check_rows out, around;
  uint64_t *mark;
} work;

static double coefficient_of(work *w, uint64_t v) {
  const check_rows *out = &w->out, *around = &w->around;
  const uint64_t first = around->start[v], last = around->start[v + 1], d = last - first;
  uint64_t edges = 0;
  for (uint64_t k = first; k < last; k++) w->mark[around->to[k]] = v + 1;
  for (uint64_t k = first; k < last; k++) {
    const uint64_t u = around->to[k];
    for (uint64_t l = out->start[u]; l < out->start[u + 1]; l++) edges += w->mark[out->to[l]] == v + 1;
  }
  return d < 2 ? 0 : (double)edges / ((double)d * (double)(d - 1));
}

const char *check_lcc(const check_graph *g, const double *coefficient, char *text, size_t capacity) {
  check_graph one = *g, both = *g;
  work w = {.mark = calloc(g->n, sizeof *w.mark)};
  const char *why = NULL;
  one.loops = both.loops = false;
  one.weight = both.weight = NULL;
  both.both_directions = true;
  if (w.mark == NULL || !check_rows_make(&w.out, &one, false) || !check_rows_make(&w.around, &both, false))
    why = check_no_memory;
  for (uint64_t v = 0; why == NULL && v < g->n; v++) {
    const double expected = coefficient_of(&w, v);
    if (fabs(coefficient[v] - expected) <= 1e-15) continue;
    snprintf(text, capacity, "vertex number %" PRIu64 " has the coefficient %.17g where it is %.17g", v,
             coefficient[v], expected);
    why = text;
  }
  free(w.mark);
  check_rows_free(&w.out);
  check_rows_free(&w.around);
  return why;
}
