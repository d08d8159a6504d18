/* Checks of shortest paths (check_paths.c). */
#ifndef GRID_CHECK_PATHS_H
#define GRID_CHECK_PATHS_H
#include "bench/check/check_graph.h"

/* NULL: distance[v] is the length of a shortest path from source (NaN: there is none), by the weights of g,
 * to within `allowed` of it, and parent (NULL: not checked) is a tree of such paths; else what is wrong, in
 * text. negative: what the answer says about a cycle of negative weight; if there is one, nothing else
 * counts. */
const char *check_paths(const check_graph *g, uint64_t source, const double *distance, const double *parent,
                        bool negative, double allowed, char *text, size_t capacity);
#endif
