/* Checks of dense subgraphs (check_densest_subgraph.c). */
#ifndef GRID_CHECK_DENSEST_SUBGRAPH_H
#define GRID_CHECK_DENSEST_SUBGRAPH_H
#include "bench/check/check_graph.h"

/* NULL: `density` is that of the vertices v whose member[v] is 1 (NaN: not a member). Twice of it is at least
 * the density of the densest graph of a serial peeling. Else the error in text. Edges count in both
 * directions and once, loops do not. */
const char *check_densest_subgraph(const check_graph *g, const double *member, double density, char *text,
                                   size_t capacity);
#endif
