/* Checks of label propagation (cdlp.c). */
#ifndef BENCH_CHECK_CDLP_H
#define BENCH_CHECK_CDLP_H
#include "bench/check/graph.h"

/* NULL: label[v] is what vertex v has after so many iterations, for all vertices; else what is wrong, in
 * text. */
const char *check_cdlp(const check_graph *g, uint64_t iterations, const double *label, char *text,
                       size_t capacity);
#endif
