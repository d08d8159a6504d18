/* Checks of betweenness centrality (check_betweenness.c). */
#ifndef GRID_CHECK_BETWEENNESS_H
#define GRID_CHECK_BETWEENNESS_H
#include "bench/check/check_graph.h"

/* NULL: centrality[v] is the sum over the sources of the share of shortest paths through v, with a tolerance
 * of `allowed` relative to the largest; else the difference in text. */
const char *check_betweenness(const check_graph *g, const uint64_t *source, uint64_t nsources,
                              const double *centrality, double allowed, char *text, size_t capacity);

/* NULL: centrality[v] differs from the sum over all vertices by `bound` of n (n - 1) at most, or by rounding;
 * else the difference in text. */
const char *check_betweenness_bound(const check_graph *g, const double *centrality, double bound, char *text,
                                    size_t capacity);

/* A matrix's entries. */
typedef struct {
  const uint64_t *row, *col;
  const double *value;
  uint64_t count;
} check_entries;

/* NULL: the answer has an entry for each edge, within `allowed` relative to the largest; else the difference
 * in text. An entry is the sum over the sources (NULL: all vertices) of the share of shortest paths that have
 * the edge. */
const char *check_edge_betweenness(const check_graph *g, const uint64_t *source, uint64_t nsources,
                                   const check_entries *answer, double allowed, char *text, size_t capacity);
#endif
