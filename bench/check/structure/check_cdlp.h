/* Checks of label propagation (check_cdlp.c). */
#ifndef GRID_CHECK_CDLP_H
#define GRID_CHECK_CDLP_H
#include "bench/check/check_graph.h"

/* NULL: label[v] is what vertex v has after so many iterations, for all vertices; else what is wrong, in
 * text. */
const char *check_cdlp(const check_graph *g, uint64_t iterations, const double *label, char *text,
                       size_t capacity);
#endif
