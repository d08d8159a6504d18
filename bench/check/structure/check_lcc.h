/* Checks of local clustering coefficients (check_lcc.c). */
#ifndef GRID_CHECK_LCC_H
#define GRID_CHECK_LCC_H
#include "bench/check/check_graph.h"

/* NULL: coefficient[v] is the share of ordered pairs of v's neighbors (in either direction, without v) with
 * an edge, 0 where there are no pairs; else the difference in text. */
const char *check_lcc(const check_graph *g, const double *coefficient, char *text, size_t capacity);
#endif
