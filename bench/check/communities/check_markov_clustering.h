/* Checks of Markov clustering (check_markov_clustering.c). */
#ifndef GRID_CHECK_MARKOV_CLUSTERING_H
#define GRID_CHECK_MARKOV_CLUSTERING_H
#include "bench/check/check_graph.h"

/* NULL: cluster[v] is the smallest vertex of the cluster of each vertex v, found in so many iterations of at
 * most `limit`; else the difference in text. Edges count both ways. */
const char *check_markov_clustering(const check_graph *g, const double *cluster, uint64_t iterations,
                                    double inflation, uint64_t limit, char *text, size_t capacity);
#endif
