/* Checks of matchings (check_matching.c). */
#ifndef GRID_CHECK_MATCHING_H
#define GRID_CHECK_MATCHING_H
#include "bench/check/check_graph.h"

/* NULL: mate[v] (NaN: none) is a vertex with an edge to v in either direction, whose mate is v, and no edge
 * can be added. No edge is heavier than those in the matching at both its ends, so that the matching has half
 * of the largest weight or more. An edge has the larger weight of its directions, or 1 if the graph has none.
 * Loops are ignored. Else the error in text. */
const char *check_matching(const check_graph *g, const double *mate, char *text, size_t capacity);

/* NULL: the edges v -> mate[v] (NaN: none) are a largest set of edges of which no two begin or end at the
 * same vertex; else the error in text. */
const char *check_bipartite_matching(const check_graph *g, const double *mate, char *text, size_t capacity);

/* One of the two. */
typedef const char *check_mates_function(const check_graph *g, const double *mate, char *text,
                                         size_t capacity);
/* What `check` finds in the edges row[k] -> col[k]; both: each is the mate of the other. Else the error that
 * a vertex would have two mates. */
const char *check_matched_edges(const check_graph *g, const uint64_t *row, const uint64_t *col,
                                uint64_t entries, bool both, check_mates_function *check, char *text,
                                size_t capacity);
#endif
