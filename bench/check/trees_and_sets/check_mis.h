/* Checks of maximal independent sets (check_mis.c). */
#ifndef GRID_CHECK_MIS_H
#define GRID_CHECK_MIS_H
#include "bench/check/check_graph.h"

/* NULL: no edge connects two vertices with member[v] == 1, and every other vertex (NaN) has an edge with one
 * of them; else the error in text. Loops are ignored. */
const char *check_mis(const check_graph *g, const double *member, char *text, size_t capacity);
#endif
