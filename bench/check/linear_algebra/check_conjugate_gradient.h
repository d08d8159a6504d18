/* Checks of solutions of linear equations (check_conjugate_gradient.c). */
#ifndef GRID_CHECK_CONJUGATE_GRADIENT_H
#define GRID_CHECK_CONJUGATE_GRADIENT_H
#include "bench/check/check_graph.h"

/* NULL: `residual` is the norm of right - A x by that of right, within what rounding allows. A has the
 * weights of g, 1 where it has none; laplacian above 0: A is the Laplacian of g, without loops, plus that
 * number on the diagonal. right is 0 where it is NaN. Else the error in text. */
const char *check_conjugate_gradient(const check_graph *g, const double *x, const double *right,
                                     double laplacian, double residual, char *text, size_t capacity);
#endif
