/* The neighbors of vertices that precede them in an order, on process 0, for a step that one process makes.
 */
#ifndef GRID_EARLIER_NEIGHBORS_H
#define GRID_EARLIER_NEIGHBORS_H
#include "gridblas.h"

/* Vertex v has the neighbors to[start[v]] ... to[start[v] + length[v] - 1]. On process 0; the others have no
 * arrays. */
typedef struct {
  GrB_Index *start;
  uint32_t *length, *to;
} grid_earlier_neighbors;

/* Of each row v of B the columns u with score[u] > score[v]. B is square with fewer than 2^32 rows; score is
 * the same on all processes. *all is without arrays before and after an error. Collective. Each process sends
 * its entries once. */
GrB_Info grid_earlier_neighbors_gather(grid_earlier_neighbors *all, GrB_Matrix B, const int64_t *score);
/* Local. */
void grid_earlier_neighbors_free(grid_earlier_neighbors *x);
#endif
