/* Checks of searches from many vertices (check_levels.c). */
#ifndef GRID_CHECK_LEVELS_H
#define GRID_CHECK_LEVELS_H
#include "bench/check/check_graph.h"

/* NULL: the `entries` triples (row, col, value) are the levels of all vertices col within `limit` (< 0:
 * none) of source[row], each once; else the difference in text. */
const char *check_levels(const check_graph *g, const uint64_t *source, uint64_t nsources, int64_t limit,
                         const uint64_t *row, const uint64_t *col, const double *value, uint64_t entries,
                         char *text, size_t capacity);
#endif
