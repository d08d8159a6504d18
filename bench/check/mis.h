/* Checks of maximal independent sets (mis.c). */
#ifndef BENCH_CHECK_MIS_H
#define BENCH_CHECK_MIS_H
#include "bench/check/graph.h"

/* NULL: of the vertices with member[v] == 1 no two are ends of one edge, and every other vertex (NaN) has an
 * edge with one of them; else what is wrong, in text. Loops don't count. */
const char *check_mis(const check_graph *g, const double *member, char *text, size_t capacity);
#endif
