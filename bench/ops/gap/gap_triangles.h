/* gap_triangles.h: the triangles of a graph counted as the GAP benchmark suite's `tc` counts them, written from
 * its description (Beamer, Asanović, Patterson, "The GAP Benchmark Suite", 2015): what mxm.triangles is
 * compared with beside another library. */
#ifndef GRID_GAP_TRIANGLES_H
#define GRID_GAP_TRIANGLES_H
#include "bench/ops/ops_graph.h"

/* Neighbours of each vertex, ascending, without loops; of an edge each end has the other. */
typedef struct {
  uint64_t n, *start; /* n + 1 of them */
  uint32_t *col;
} lists;

/* false: out of memory. The numbering by degree, where one is made, is part of it. */
bool count_triangles(const lists *g, uint64_t *triangles);
#endif
