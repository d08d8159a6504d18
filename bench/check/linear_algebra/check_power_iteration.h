/* Checks of an eigenvalue and its vector (check_power_iteration.c). */
#ifndef GRID_CHECK_POWER_ITERATION_H
#define GRID_CHECK_POWER_ITERATION_H
#include "bench/check/check_graph.h"

/* NULL: the vector has the norm 1, the value is that of its Rayleigh quotient (x, A x), and |A x - value x|
 * is the residual times |A x|. A is the matrix of g's edges with their weights, 1 where it has none. Else the
 * error in text. */
const char *check_power_iteration(const check_graph *g, double value, const double *x, double residual,
                                  char *text, size_t capacity);
#endif
