/* Checks of factors of a rating matrix (check_factors.c). */
#ifndef GRID_CHECK_FACTORS_H
#define GRID_CHECK_FACTORS_H
#include "bench/check/check_graph.h"

typedef struct {
  uint64_t columns; /* of the matrix; its rows are the vertices of the graph */
  uint64_t k;
  double rate, lambda; /* rate 0: the default of Grid_factors */
  uint64_t iterations, seed;
  double allowed; /* tolerance relative to the largest number */
} check_factors_job;

/* NULL: P (n x k) and Q (columns x k), by rows, are the result of so many iterations of gradient descent
 * from the first factors of Grid_factors. error (iterations + 1 numbers): the errors before and after each.
 * Else the difference in text. */
const char *check_factors(const check_graph *g, const check_factors_job *is, const double *P, const double *Q,
                          const double *error, char *text, size_t capacity);
#endif
