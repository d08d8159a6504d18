/* Checks of biconnected components (check_biconnected.c). */
#ifndef GRID_CHECK_BICONNECTED_H
#define GRID_CHECK_BICONNECTED_H
#include "bench/check/check_graph.h"

/* What a serial search counts. */
typedef struct {
  uint64_t components, bridges, articulation_points;
} check_biconnected_counts;

/* NULL: the `entries` triples (row, col, value) are the edges of the undirected graph without loops, each
 * once with row < col, and value is its biconnected component. Components have numbers from 0, in the order
 * of their smallest vertex. The one closest to the smallest vertex of the connected component does not count.
 * *found are their counts, and points[v] (if not NULL) becomes whether v is an articulation point. Else the
 * difference in text. */
const char *check_biconnected(check_biconnected_counts *found, bool *points, const check_graph *g,
                              const uint64_t *row, const uint64_t *col, const double *value, uint64_t entries,
                              char *text, size_t capacity);
#endif
