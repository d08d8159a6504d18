/* Checks of PageRank (check_pagerank.c). */
#ifndef GRID_CHECK_PAGERANK_H
#define GRID_CHECK_PAGERANK_H
#include "bench/check/check_graph.h"

typedef struct {
  double damping, tolerance;
  uint64_t limit;         /* the most iterations */
  const uint64_t *source; /* the vertices of restarts; none: all */
  uint64_t nsources;
  bool plain;     /* the rank of vertices without edges out is lost */
  double allowed; /* tolerance of the L1 norm of the difference */
} check_pagerank_job;

/* NULL: rank (n numbers) is the result of so many iterations, and the iteration ended by the rule; else the
 * difference in text. */
const char *check_pagerank(const check_graph *g, const check_pagerank_job *job, const double *rank,
                           uint64_t iterations, char *text, size_t capacity);
#endif
