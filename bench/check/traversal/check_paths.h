/* Checks of shortest paths (check_paths.c). */
#ifndef GRID_CHECK_PATHS_H
#define GRID_CHECK_PATHS_H
#include "bench/check/check_graph.h"

/* NULL: distance[v] is the length of a shortest path from source by the weights of g (NaN: there is none),
 * with a relative tolerance of `allowed`, and parent (NULL: not checked) is a tree of such paths; else the
 * difference in text. negative: whether the answer reports a cycle of negative weight; if there is one,
 * nothing else is checked. */
const char *check_paths(const check_graph *g, uint64_t source, const double *distance, const double *parent,
                        bool negative, double allowed, char *text, size_t capacity);
#endif
