/* Checks of longest paths in graphs without cycles (check_topological_order.c). */
#ifndef GRID_CHECK_TOPOLOGICAL_ORDER_H
#define GRID_CHECK_TOPOLOGICAL_ORDER_H
#include "bench/check/check_graph.h"

/* NULL: level[v] is the number of edges on a longest path to v, NaN where v is on a cycle or behind one.
 * acyclic says whether all have a level. Else the difference in text. */
const char *check_topological_order(const check_graph *g, const double *level, bool acyclic, char *text,
                                    size_t capacity);
#endif
