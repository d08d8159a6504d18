/* Checks of reciprocity (check_reciprocity.c). */
#ifndef GRID_CHECK_RECIPROCITY_H
#define GRID_CHECK_RECIPROCITY_H
#include "bench/check/check_graph.h"

/* NULL: of the edges but loops, `reciprocity` is the share whose reverse is an edge, and per_vertex[v] that
 * of the edges from v and to v. It is 0 where there are none. Else the difference in text. */
const char *check_reciprocity(const check_graph *g, double reciprocity, const double *per_vertex, char *text,
                              size_t capacity);
#endif
