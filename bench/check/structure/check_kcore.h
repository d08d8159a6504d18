/* Checks of core numbers (check_kcore.c). */
#ifndef GRID_CHECK_KCORE_H
#define GRID_CHECK_KCORE_H
#include "bench/check/check_graph.h"

/* NULL: core[v] is the core number of v in the undirected graph without loops; else the difference in text.
 */
const char *check_kcore(const check_graph *g, const double *core, char *text, size_t capacity);
#endif
