/* Checks of samples of neighbors (check_neighbor_sample.c). */
#ifndef GRID_CHECK_NEIGHBOR_SAMPLE_H
#define GRID_CHECK_NEIGHBOR_SAMPLE_H
#include "bench/check/check_graph.h"

/* What was asked for, and entries (row[k], col[k]) of the sample; hop[v] is NaN for vertices not reached. */
typedef struct {
  const uint64_t *sources, nsources;
  const int64_t *fanouts;
  uint64_t nfanouts;
  const uint64_t *row, *col;
  const double *value, *hop;
  uint64_t n;
} check_sample;

/* NULL: the entries are edges of g, with their weights if it has any, and no two are the same. Each vertex
 * reached before the last hop has as many as its degree and its fan-out allow, other vertices have none. Hops
 * are those of the first edge drawn into a vertex. Else the error in text. Whether the draw is random is not
 * checked. */
const char *check_neighbor_sample(const check_graph *g, const check_sample *s, char *text, size_t capacity);
#endif
