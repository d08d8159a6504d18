/* Checks of assortativity (check_assortativity.c). */
#ifndef GRID_CHECK_ASSORTATIVITY_H
#define GRID_CHECK_ASSORTATIVITY_H
#include "bench/check/check_graph.h"

/* NULL: `correlation` is that of x[i] and y[j] over the edges i -> j, within 1e-9, and NaN where x or y is
 * the same at all edges. x NULL: the number of edges from i, y NULL: of those into j. Else the error in text.
 */
const char *check_assortativity(const check_graph *g, const double *x, const double *y, double correlation,
                                char *text, size_t capacity);
/* NULL: `coefficient` is the assortativity of the edges by label[v], a whole number below n, within 1e-9, and
 * NaN where all edges have the same label. Else the error in text. */
const char *check_label_assortativity(const check_graph *g, const double *label, double coefficient,
                                      char *text, size_t capacity);
#endif
