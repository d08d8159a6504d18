/* Triangle counting like the GAP benchmark suite's `tc`, written from its description (Beamer, Asanović,
 * Patterson, "The GAP Benchmark Suite", 2015): the limit of mxm.triangles. */
#ifndef GRID_GAP_TRIANGLES_H
#define GRID_GAP_TRIANGLES_H
#include "bench/ops/ops_graph.h"

/* Neighbours of each vertex, ascending, without loops; of an edge each end has the other. */
typedef struct {
  uint64_t n, *start; /* n + 1 of them */
  uint32_t *col;
} lists;

/* false: out of memory. The numbering by degree, if there is one, is included. */
bool count_triangles(const lists *g, uint64_t *triangles);
#endif
