/* Triangles by marks: marks the neighbors of a vertex and looks up those of its smaller neighbors. */
#include "bench/check/structure/check_triangles.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Each triangle a < b < c is found at c through its neighbor b. */
static uint64_t count_all(uint64_t *at, uint64_t *mark, const check_rows *r) {
  uint64_t count = 0;
  for (uint64_t c = 0; c < r->n; c++) {
    for (uint64_t k = r->start[c]; k < r->start[c + 1]; k++) mark[r->to[k]] = c + 1;
    for (uint64_t k = r->start[c]; k < r->start[c + 1] && r->to[k] < c; k++) {
      const uint64_t b = r->to[k];
      for (uint64_t l = r->start[b]; l < r->start[b + 1] && r->to[l] < b; l++) {
        if (mark[r->to[l]] != c + 1) continue;
        count++;
        at[r->to[l]]++, at[b]++, at[c]++;
      }
    }
  }
  return count;
}

const char *check_triangles(const check_graph *g, const double *at, uint64_t count, char *text,
                            size_t capacity) {
  check_graph both = *g;
  check_rows r;
  const char *why = NULL;
  both.both_directions = true, both.loops = false, both.weight = NULL;
  if (!check_rows_make(&r, &both, false)) return check_no_memory;
  uint64_t *expected = calloc(g->n, sizeof *expected), *mark = calloc(g->n, sizeof *mark);
  if (expected == NULL || mark == NULL) {
    why = check_no_memory;
  } else {
    const uint64_t all = count_all(expected, mark, &r);
    if (all != count) {
      snprintf(text, capacity, "%" PRIu64 " triangles are counted where there are %" PRIu64, count, all);
      why = text;
    }
    for (uint64_t v = 0; why == NULL && v < g->n; v++)
      if (!(at[v] == (double)expected[v])) {
        snprintf(text, capacity, "vertex number %" PRIu64 " has %g triangles where there are %" PRIu64, v,
                 at[v], expected[v]);
        why = text;
      }
  }
  free(expected), free(mark);
  check_rows_free(&r);
  return why;
}
