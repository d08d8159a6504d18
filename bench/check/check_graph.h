/* Serial computations that the answers of algorithms are compared with: plain C over lists of edges. They
 * share no code with the algorithms, and know nothing of the library: one file each, named for what it
 * checks. All of them work on one process. */
#ifndef GRID_CHECK_GRAPH_H
#define GRID_CHECK_GRAPH_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Edges as they were read: with loops and duplicates. */
typedef struct {
  uint64_t n, m; /* vertices, edges */
  uint64_t *from, *to;
  double *weight; /* NULL: none */
  bool both_directions;
  bool loops; /* they count */
} check_graph;

/* The edges out of each vertex, ascending; of several to one vertex the lightest. */
typedef struct {
  uint64_t n;
  uint64_t *start, *to; /* those of v: from start[v] to start[v + 1] */
  double *weight;       /* NULL: none */
} check_rows;

extern const char check_no_memory[];

/* Returns false when there is no memory. into: the edges into each vertex in place of those out of it. */
bool check_rows_make(check_rows *r, const check_graph *g, bool into);
void check_rows_free(check_rows *r);
#endif
