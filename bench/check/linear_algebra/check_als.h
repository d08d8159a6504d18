/* Checks of least-squares factors of a rating matrix (check_als.c). */
#ifndef GRID_CHECK_ALS_H
#define GRID_CHECK_ALS_H
#include "bench/check/check_graph.h"

typedef struct {
  uint64_t columns; /* of the matrix; its rows are the vertices of the graph */
  uint64_t k;
  double lambda;
  double allowed; /* tolerance relative to the terms of a sum */
} check_als_job;

/* NULL: with P (n x k) fixed, every row of Q (columns x k) has the gradient 0; else the row in text. The
 * gradient is that of the sum of squared errors and of lambda times the number of its ratings times its
 * square. */
const char *check_als_rows(const check_graph *g, const check_als_job *is, const double *P, const double *Q,
                           char *text, size_t capacity);
/* NULL: error is the root of the mean of the squared errors; else the difference in text. */
const char *check_als_error(const check_graph *g, const check_als_job *is, const double *P, const double *Q,
                            double error, char *text, size_t capacity);
#endif
