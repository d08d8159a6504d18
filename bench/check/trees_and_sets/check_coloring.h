/* Checks of colorings (check_coloring.c). */
#ifndef GRID_CHECK_COLORING_H
#define GRID_CHECK_COLORING_H
#include "bench/check/check_graph.h"

/* NULL: every vertex has a color, a whole number from 0; no two with an edge have the same; and every vertex
 * has neighbors of all smaller colors. Else the error in text. Loops are ignored. */
const char *check_coloring(const check_graph *g, const double *color, uint64_t colors, char *text,
                           size_t capacity);
#endif
