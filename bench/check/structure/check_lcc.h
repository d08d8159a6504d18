/* Checks of local clustering coefficients (check_lcc.c). */
#ifndef GRID_CHECK_LCC_H
#define GRID_CHECK_LCC_H
#include "bench/check/check_graph.h"

/* NULL: coefficient[v] is the share of ordered pairs of v's neighbours, in either direction and without v,
 * that have an edge from the one to the other, 0 where there are none; else what is wrong, in text. */
const char *check_lcc(const check_graph *g, const double *coefficient, char *text, size_t capacity);
#endif
