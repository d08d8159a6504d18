/* Checks of k-trusses (check_ktruss.c). */
#ifndef GRID_CHECK_KTRUSS_H
#define GRID_CHECK_KTRUSS_H
#include "bench/check/check_graph.h"

/* NULL: the `entries` triples (row, col, value) are the edges of the k-truss of the undirected graph without
 * loops. Each edge occurs once in either direction, with the number of its triangles in the truss. Else the
 * difference in text. */
const char *check_ktruss(const check_graph *g, uint64_t k, const uint64_t *row, const uint64_t *col,
                         const double *value, uint64_t entries, char *text, size_t capacity);
#endif
