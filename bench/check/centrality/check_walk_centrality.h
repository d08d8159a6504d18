/* Checks of Katz and eigenvector centrality, hubs and authorities (check_walk_centrality.c). */
#ifndef GRID_CHECK_WALK_CENTRALITY_H
#define GRID_CHECK_WALK_CENTRALITY_H
#include "bench/check/check_graph.h"

typedef enum { CHECK_KATZ, CHECK_EIGENVECTOR, CHECK_HITS } check_walk_kind;

typedef struct {
  check_walk_kind kind;
  double alpha;        /* Katz */
  const double *start; /* NULL: the default */
  const double *beta;  /* Katz; NULL: 1 everywhere */
  double tolerance;
  uint64_t limit;
  uint64_t iterations; /* of the answer */
  double allowed;      /* of the sum of differences, relative to the sum of the values */
} check_walk_job;

/* NULL: value (of HITS: the hubs, and second the authorities) is the result of so many iterations, and the
 * iteration ended by the rule; else the difference in text. An edge counts its weight, 1 where g has none. */
const char *check_walk_centrality(const check_graph *g, const check_walk_job *is, const double *value,
                                  const double *second, char *text, size_t capacity);
#endif
