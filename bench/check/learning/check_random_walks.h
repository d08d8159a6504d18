/* Checks of random walks (check_random_walks.c). */
#ifndef GRID_CHECK_RANDOM_WALKS_H
#define GRID_CHECK_RANDOM_WALKS_H
#include "bench/check/check_graph.h"

/* NULL: row k of the nwalks x (length + 1) numbers `walk` begins at start[k]. Each step is along an edge of
 * g, with a weight above 0 if it has weights. A walk with fewer steps, NaN after them, ends at a vertex
 * without such edges. Else the error in text. Whether steps are random is not checked. */
const char *check_random_walks(const check_graph *g, const double *walk, const uint64_t *start,
                               uint64_t nwalks, uint64_t length, char *text, size_t capacity);
#endif
