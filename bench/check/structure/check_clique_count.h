/* Checks of counts of cliques (check_clique_count.c). */
#ifndef GRID_CHECK_CLIQUE_COUNT_H
#define GRID_CHECK_CLIQUE_COUNT_H
#include "bench/check/check_graph.h"

/* NULL: `count` is the number of cliques of k vertices (3 or more), and per_vertex[v] of those that contain
 * v, for every vertex. Else the error in text. Edges count in both directions and once, loops do not. */
const char *check_clique_count(const check_graph *g, uint64_t k, uint64_t count, const double *per_vertex,
                               char *text, size_t capacity);
#endif
