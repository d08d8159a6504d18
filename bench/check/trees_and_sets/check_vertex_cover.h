/* Checks of vertex covers (check_vertex_cover.c). */
#ifndef GRID_CHECK_VERTEX_COVER_H
#define GRID_CHECK_VERTEX_COVER_H
#include "bench/check/check_graph.h"

/* NULL: every edge has an end in the cover, the vertices v whose cover[v] is 1 (NaN: it is not in it). Each
 * of them has an edge to a vertex outside. They are at least `bound` and at most twice as many. Else the
 * error in text. Loops are ignored. */
const char *check_vertex_cover(const check_graph *g, const double *cover, uint64_t bound, char *text,
                               size_t capacity);
#endif
