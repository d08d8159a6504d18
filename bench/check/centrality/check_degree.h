/* Checks of degrees (check_degree.c). */
#ifndef GRID_CHECK_DEGREE_H
#define GRID_CHECK_DEGREE_H
#include "bench/check/check_graph.h"

/* NULL: out[v] and in[v] are the numbers of different vertices other than v that edges lead to from v, and
 * from to v; else the first difference in text. in NULL: not checked. */
const char *check_degree(const check_graph *g, const double *out, const double *in, char *text,
                         size_t capacity);
#endif
