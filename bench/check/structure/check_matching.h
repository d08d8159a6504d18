/* Checks of matchings (check_matching.c). */
#ifndef GRID_CHECK_MATCHING_H
#define GRID_CHECK_MATCHING_H
#include "bench/check/check_graph.h"

/* NULL: mate[v] (NaN: none) is a vertex with an edge to v in either direction, whose mate is v, and no edge
 * is heavier than those in the matching at both its ends, so that the matching has half of the largest weight
 * or more, and no edge can be added. An edge has the larger weight of its directions, or 1 if the graph has
 * none. Loops are ignored. Else the error in text. */
const char *check_matching(const check_graph *g, const double *mate, char *text, size_t capacity);

/* NULL: the edges v -> mate[v] (NaN: none) are a largest set of edges of which no two begin or end at the
 * same vertex; else the error in text. */
const char *check_bipartite_matching(const check_graph *g, const double *mate, char *text, size_t capacity);

/* mate[row[k]] = col[k] and, if both, mate[col[k]] = row[k]; NaN for all other of n vertices. false: one
 * would have two mates. */
bool check_fill_mates(double *mate, uint64_t n, const uint64_t *row, const uint64_t *col, uint64_t entries,
                      bool both);
#endif
