/* Checks of PageRank (check_pagerank.c). */
#ifndef GRID_CHECK_PAGERANK_H
#define GRID_CHECK_PAGERANK_H
#include "bench/check/check_graph.h"

typedef struct {
  double damping, tolerance;
  uint64_t limit;         /* iterations at most */
  const uint64_t *source; /* whose rank restarts there; none: everywhere */
  uint64_t nsources;
  bool plain;     /* without what vertices without edges out have */
  double allowed; /* the ranks may differ by this much of their sum, together */
} check_pagerank_job;

/* NULL: rank (n of them) is what as many iterations give, and they ended when they should; else what is
 * wrong, in text. */
const char *check_pagerank(const check_graph *g, const check_pagerank_job *job, const double *rank,
                           uint64_t iterations, char *text, size_t capacity);
#endif
