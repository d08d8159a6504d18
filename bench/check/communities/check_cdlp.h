/* Checks of label propagation (check_cdlp.c). */
#ifndef GRID_CHECK_CDLP_H
#define GRID_CHECK_CDLP_H
#include "bench/check/check_graph.h"

/* NULL: label[v] is the label of every vertex v after so many iterations; else the difference in text. */
const char *check_cdlp(const check_graph *g, uint64_t iterations, const double *label, char *text,
                       size_t capacity);
#endif
