/* Element-wise multiplication: the positions that two local matrices have in common. */
#ifndef GRID_LMAT_INTERSECT_H
#define GRID_LMAT_INTERSECT_H
#include "spmat/matrix/local_matrix.h"

/* z (empty, of the same dimensions and op's result type) = op(x, y) where both have entries, with axes chosen
 * by its entries. x and y lie on the host. On failure z is empty. */
GrB_Info grid_cpu_lmat_intersect(grid_local_matrix *z, const grid_local_matrix *x, const grid_local_matrix *y,
                                 GrB_BinaryOp op);

/* op(x, y), entry by entry, for matrices with the same pattern (grid_lmat_same_pattern), which z (empty)
 * shares. */
GrB_Info grid_lmat_combine(grid_local_matrix *z, const grid_local_matrix *x, const grid_local_matrix *y,
                           GrB_BinaryOp op);
#endif
