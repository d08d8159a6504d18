/* Checks of the distances between all pairs (check_all_pairs.c). */
#ifndef GRID_CHECK_ALL_PAIRS_H
#define GRID_CHECK_ALL_PAIRS_H
#include "bench/check/check_graph.h"

/* NULL: the entries (row, col, value) are the pairs with a path, each once, and the lengths of shortest
 * paths; else the difference in text. Weights are 0 or more; a graph without weights: 1 each. */
const char *check_all_pairs(const check_graph *g, const uint64_t *row, const uint64_t *col,
                            const double *value, uint64_t entries, char *text, size_t capacity);
/* The same from some sources: an entry is the number of a source in the list, the vertex, and its distance.
 */
const char *check_paths_many(const check_graph *g, const uint64_t *source, uint64_t nsources,
                             const uint64_t *number, const uint64_t *vertex, const double *value,
                             uint64_t entries, char *text, size_t capacity);
#endif
