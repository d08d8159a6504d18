/* What the checkers share. A checker compares an algorithm's answer with a serial computation in plain C over
 * the list of edges. It shares no code with the algorithm and does not use the library. Each is a file of its
 * own, named for what it checks, and runs on one process. */
#ifndef GRID_CHECK_GRAPH_H
#define GRID_CHECK_GRAPH_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Edges as they were read, with loops and duplicates. */
typedef struct {
  uint64_t n, m; /* vertices, edges */
  uint64_t *from, *to;
  double *weight; /* NULL: none */
  bool both_directions;
  bool loops; /* loops count */
} check_graph;

/* The edges out of each vertex in ascending order; of several to one vertex the lightest. */
typedef struct {
  uint64_t n;
  uint64_t *start, *to; /* those of v are start[v] to start[v + 1] */
  double *weight;       /* NULL: none */
} check_rows;

extern const char check_no_memory[];

/* Returns false if memory is short. into: rows of the edges into each vertex in place of those out of it. */
bool check_rows_make(check_rows *r, const check_graph *g, bool into);
void check_rows_free(check_rows *r);

/* The position of v -> w in the rows; start[n], the end, where there is none. */
uint64_t check_rows_find(const check_rows *r, uint64_t v, uint64_t w);
/* The row of a position. */
uint64_t check_rows_source(const check_rows *r, uint64_t position);

/* Breadth-first search: level[v] is the number of edges from source to v, or -1, no deeper than limit (< 0:
 * no limit). queue: workspace of n. Returns the number of vertices reached, which begin the queue in the
 * order of their levels. */
uint64_t check_search(int64_t *level, uint64_t *queue, const check_rows *out, uint64_t source, int64_t limit);
#endif
