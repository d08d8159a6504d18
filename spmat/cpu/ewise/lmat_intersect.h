/* lmat_intersect.h: the places that two parts share: element-wise multiplication. */
#ifndef GRID_LMAT_INTERSECT_H
#define GRID_LMAT_INTERSECT_H
#include "spmat/matrix/local_matrix.h"

/* z (empty, of the same dimensions, of the operator's result type) becomes op(x, y) where both have entries,
 * with the axes that it wants. x and y lie on the host. On failure z is empty. */
GrB_Info grid_cpu_lmat_intersect(grid_local_matrix *z, const grid_local_matrix *x, const grid_local_matrix *y,
                                 GrB_BinaryOp op);

/* op(x, y), entry by entry, of parts with the same pattern (grid_lmat_same_pattern), which z (empty) gets,
 * too. */
GrB_Info grid_lmat_combine(grid_local_matrix *z, const grid_local_matrix *x, const grid_local_matrix *y,
                           GrB_BinaryOp op);
#endif
