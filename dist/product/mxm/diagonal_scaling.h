/* A times a diagonal matrix: A's columns are scaled, and no products are added. */
#ifndef GRID_DIAGONAL_SCALING_H
#define GRID_DIAGONAL_SCALING_H
#include "dist/product/mxm/mxm.h"

/* Do the numbers of entries allow that B is diagonal, and does the operator read only values? */
static inline bool grid_can_be_diagonal(const grid_mxm_call *x) {
  return !x->mask && !x->d->complement && !x->d->tran0 && x->s->mul->f && x->B->nvals <= x->B->nrows &&
         x->B->nrows == x->B->ncols && x->A->nvals > 0;
}
/* Is every entry of B, which is on the host by row, on the diagonal? False also where B has lists. Local. */
bool grid_is_diagonal(const grid_local_matrix *b);
/* *t, empty, = A B for such a B, with the same numbering of inner indices: A's pattern. GRID_UNSUPPORTED: B
 * has no entry for a nonempty column of A. Local. */
GrB_Info grid_scale_by_diagonal(grid_local_matrix *t, const grid_local_matrix *a, const grid_local_matrix *b,
                                GrB_BinaryOp mul);
#endif
