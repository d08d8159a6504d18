/* Checks of triangle counts (check_triangles.c). */
#ifndef GRID_CHECK_TRIANGLES_H
#define GRID_CHECK_TRIANGLES_H
#include "bench/check/check_graph.h"

/* NULL: the undirected graph without loops has `count` triangles, and at[v] of them have v as a corner; else
 * the difference in text. */
const char *check_triangles(const check_graph *g, const double *at, uint64_t count, char *text,
                            size_t capacity);
#endif
