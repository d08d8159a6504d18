/* Least squares for the rows of one factor, with the other factor fixed (normal_equations.c). Local. */
#ifndef GRID_NORMAL_EQUATIONS_H
#define GRID_NORMAL_EQUATIONS_H
#include <stdbool.h>
#include <stdint.h>

enum { MOST_UNKNOWNS = 64 };

/* Rows of ratings in compressed form: those of row u are start[u] .. start[u + 1]; at: rows of `fixed`. */
typedef struct {
  const uint64_t *start, *at;
  const double *value;
  uint64_t count, k;
  const double *fixed; /* by rows of k numbers, k <= MOST_UNKNOWNS */
  double lambda;
} least_squares;

/* The rows of x become the solutions of (F' F + lambda r I) x = F' ratings, where F are the r rows of `fixed`
 * that a row has ratings for. Without ratings x is 0, as are unknowns that the equations leave open. False: a
 * result is not finite. */
bool grid_solve_least_squares(double *x, const least_squares *s);
/* square[u] = the sum of the squares of row u's ratings less the products of x and `fixed`. */
void grid_sum_squared_errors(double *square, const double *x, const least_squares *s);
#endif
