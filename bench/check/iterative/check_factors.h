/* Checks of factors of a rating matrix (check_factors.c). */
#ifndef GRID_CHECK_FACTORS_H
#define GRID_CHECK_FACTORS_H
#include "bench/check/check_graph.h"

typedef struct {
  uint64_t columns; /* of the matrix; its rows are the graph's vertices */
  uint64_t k;
  double rate, lambda; /* rate 0: as Grid_factors chooses it */
  uint64_t iterations, seed;
  double allowed; /* difference, relative to the largest number */
} check_factors_job;

/* NULL: P (n x k) and Q (columns x k), row by row, are what as many iterations of gradient descent as are
 * asked for give, from the start that Grid_factors describes, and error (iterations + 1 numbers) the errors
 * on the way; else what is wrong, in text. */
const char *check_factors(const check_graph *g, const check_factors_job *is, const double *P, const double *Q,
                          const double *error, char *text, size_t capacity);
#endif
