/* Checks of transitive closures (check_transitive_closure.c). */
#ifndef GRID_CHECK_TRANSITIVE_CLOSURE_H
#define GRID_CHECK_TRANSITIVE_CLOSURE_H
#include "bench/check/check_graph.h"

/* NULL: the `entries` pairs (row, col) are those with a path of one edge or more from row to col, each once;
 * else the difference in text. */
const char *check_transitive_closure(const check_graph *g, const uint64_t *row, const uint64_t *col,
                                     uint64_t entries, char *text, size_t capacity);
#endif
