/* Checks of eigenvalues and singular values, and of their vectors (check_eigenpairs.c). */
#ifndef GRID_CHECK_EIGENPAIRS_H
#define GRID_CHECK_EIGENPAIRS_H
#include "bench/check/check_graph.h"

typedef struct {
  uint64_t columns, k;   /* of the matrix; of the vectors */
  const double *value;   /* k of them */
  const double *vectors; /* columns x k by rows */
  const double *left;    /* n x k, NaN or 0 where there is no entry: singular values. NULL: eigenvalues */
  double residual;       /* the largest, by the largest value; of A' A for singular values */
  bool all;              /* no larger value may be missing; else none larger than the first */
} check_pairs;

/* NULL: the values descend, the vectors are orthonormal, each pair has a residual within `residual` and
 * rounding, and left = A vector / value. A power iteration in the complement of the vectors finds no larger
 * value. A is the matrix of g's edges with their weights, 1 where it has none, symmetric for eigenvalues.
 * Else the error in text. */
const char *check_eigenpairs(const check_graph *g, const check_pairs *is, char *text, size_t capacity);
#endif
