/* Checks of connected components (check_components.c). */
#ifndef GRID_CHECK_COMPONENTS_H
#define GRID_CHECK_COMPONENTS_H
#include "bench/check/check_graph.h"

/* NULL: component[v] is the smallest vertex connected with v, for all vertices; strong: that v reaches and
 * that reaches v. Else the difference in text. */
const char *check_components(const check_graph *g, const double *component, bool strong, char *text,
                             size_t capacity);
#endif
