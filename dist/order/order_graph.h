/* A graph on process 0 whose vertices are to be ordered, and the methods that do so. */
#ifndef GRID_ORDER_GRAPH_H
#define GRID_ORDER_GRAPH_H
#include "dist/grid/process_grid.h"

/* Vertices have 31 bits, as in METIS. */
#define GRID_ORDER_MAX_VERTICES ((uint64_t)INT32_MAX)
/* Every process has the boundaries of all parts. */
#define GRID_ORDER_MAX_PARTS ((uint64_t)1 << 24)

typedef struct {
  uint64_t n, parts, seed;
  uint32_t *degree; /* entries in the row and in the column of each vertex */
  /* Neighbors of vertex v, ascending: neighbor[start[v]] .. neighbor[start[v + 1] - 1]. Every edge in both
   * directions, without duplicates and loops. NULL for methods that need degrees only. */
  uint64_t *start;
  uint32_t *neighbor;
} grid_order_graph;

/* Work of the products of a row and a column with so many entries together, in entries. */
uint64_t grid_order_work(uint32_t degree);

/* order[k] = the vertex that becomes number k. A method with parts sets first[0 .. parts], where each part
 * begins; the others leave it alone. Local, on process 0. */
typedef GrB_Info grid_order_method(uint32_t *order, uint64_t *first, const grid_order_graph *g);
grid_order_method grid_order_metis, grid_order_rcm, grid_order_degree, grid_order_random;

/* For qsort. */
int grid_order_compare(const void *a, const void *b);
/* grid_sort_by_count, with memory of its own. */
GrB_Info grid_order_by_count(uint32_t *order, const uint32_t *count, uint64_t n);
/* Divides an order into parts of about equal work. */
void grid_order_split(uint64_t *first, const uint32_t *order, const grid_order_graph *g);
#endif
