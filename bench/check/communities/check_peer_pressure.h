/* Checks of clusters by peer pressure (check_peer_pressure.c). */
#ifndef GRID_CHECK_PEER_PRESSURE_H
#define GRID_CHECK_PEER_PRESSURE_H
#include "bench/check/check_graph.h"

/* NULL: cluster[v] is the cluster of every vertex v after so many iterations, which are `limit` or the first
 * without a change; else the difference in text. */
const char *check_peer_pressure(const check_graph *g, const double *cluster, uint64_t iterations,
                                uint64_t limit, char *text, size_t capacity);
#endif
