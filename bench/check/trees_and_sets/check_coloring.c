/* The definition of a coloring in which no vertex can take a smaller color, from the list of edges. */
#include "bench/check/trees_and_sets/check_coloring.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Marks the colors of v's neighbors with v + 1. Returns a neighbor of v's own color, or n. */
static uint64_t mark_neighbors(uint64_t *mark, const check_rows *r, const double *color, uint64_t v) {
  uint64_t same = r->n;
  for (uint64_t k = r->start[v]; k < r->start[v + 1]; k++) {
    const uint64_t w = r->to[k];
    if (w == v) continue;
    mark[(uint64_t)color[w]] = v + 1;
    if (color[w] == color[v]) same = w;
  }
  return same;
}

static const char *check_vertices(uint64_t *mark, const check_rows *out, const check_rows *in,
                                  const double *color, char *text, size_t capacity) {
  for (uint64_t v = 0; v < out->n; v++) {
    const uint64_t a = mark_neighbors(mark, out, color, v), b = mark_neighbors(mark, in, color, v);
    if (a < out->n || b < out->n) {
      snprintf(text, capacity, "vertices number %" PRIu64 " and %" PRIu64 " have an edge and the same color",
               v, a < out->n ? a : b);
      return text;
    }
    for (uint64_t c = 0; c < (uint64_t)color[v]; c++) {
      if (mark[c] == v + 1) continue;
      snprintf(text, capacity, "vertex number %" PRIu64 " has color %.17g, but no neighbor of color %" PRIu64,
               v, color[v], c);
      return text;
    }
  }
  return NULL;
}

static const char *check_colors(uint64_t n, const double *color, uint64_t colors, char *text,
                                size_t capacity) {
  double most = -1;
  for (uint64_t v = 0; v < n; v++) {
    if (!(color[v] >= 0 && color[v] < (double)n && color[v] == floor(color[v]))) {
      snprintf(text, capacity, "the color of vertex number %" PRIu64 " is %.17g", v, color[v]);
      return text;
    }
    if (color[v] > most) most = color[v];
  }
  if (most + 1 == (double)colors) return NULL;
  snprintf(text, capacity, "the largest color is %.17g, of %" PRIu64, most, colors);
  return text;
}

const char *check_coloring(const check_graph *g, const double *color, uint64_t colors, char *text,
                           size_t capacity) {
  const char *why = check_colors(g->n, color, colors, text, capacity);
  check_rows out = {0}, in = {0};
  if (why != NULL) return why;
  uint64_t *mark = calloc(g->n + 1, sizeof *mark);
  const bool made = mark != NULL && check_rows_make(&out, g, false) && check_rows_make(&in, g, true);
  why = made ? check_vertices(mark, &out, &in, color, text, capacity) : check_no_memory;
  check_rows_free(&out), check_rows_free(&in);
  free(mark);
  return why;
}
