/* A maximum flow on one process, in plain arrays (push_relabel.c). */
#ifndef GRID_PUSH_RELABEL_H
#define GRID_PUSH_RELABEL_H
#include <stdbool.h>
#include <stdint.h>

/* Compressed rows with ascending columns and without loops; capacities are 0 or more. */
typedef struct {
  uint64_t n;
  const uint64_t *start, *to; /* to[start[v] .. start[v + 1]) */
  const double *capacity;
} grid_capacities;

/* The residual graph: one arc for each edge and, where the graph has no such edge, one for its reverse. */
typedef struct grid_push_relabel grid_push_relabel;

/* NULL: no memory. g has fewer than 2^31 vertices and entries. */
grid_push_relabel *grid_push_relabel_new(const grid_capacities *g);
void grid_push_relabel_free(grid_push_relabel *r);
/* Saturates the arcs out of the source and moves as much of it as possible to the sink. Returns what arrives:
 * the value of a maximum flow. */
double grid_push_relabel_fill(grid_push_relabel *r, uint64_t source, uint64_t sink);
/* Can v send more to the sink? Valid after grid_push_relabel_fill. */
bool grid_push_relabel_reaches(const grid_push_relabel *r, uint64_t v);
/* Returns to the source what did not arrive. */
void grid_push_relabel_return(grid_push_relabel *r, uint64_t source, uint64_t sink);
/* flow[k] = the flow along entry k of g; 0 where there is none or it runs the other way. */
void grid_push_relabel_flow(double *flow, const grid_push_relabel *r, const grid_capacities *g);
#endif
