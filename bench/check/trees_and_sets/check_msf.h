/* Checks of minimum spanning forests (check_msf.c). */
#ifndef GRID_CHECK_MSF_H
#define GRID_CHECK_MSF_H
#include "bench/check/check_graph.h"

/* NULL: the `entries` triples (row, col, value), row < col, are the edges of the minimum spanning forest of
 * the undirected graph, each once with its weight. Edges are ordered by weight, smaller end and larger end.
 * Else the difference in text. */
const char *check_msf(const check_graph *g, const uint64_t *row, const uint64_t *col, const double *value,
                      uint64_t entries, char *text, size_t capacity);
#endif
