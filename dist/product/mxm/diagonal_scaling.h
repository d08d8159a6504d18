/* A product with a diagonal matrix: columns or rows are scaled, and no products are added. */
#ifndef GRID_DIAGONAL_SCALING_H
#define GRID_DIAGONAL_SCALING_H
#include "dist/product/mxm/mxm.h"

/* Is every entry of d, which is on the host by row, on the diagonal? False also where d has lists. Local. */
bool grid_is_diagonal(const grid_local_matrix *d);
/* *t, empty, = a d or, with `rows`, d a for such a d, with the same numbering of inner indices: a's pattern.
 * GRID_UNSUPPORTED: d has no entry for a nonempty column (row) of a. Local. */
GrB_Info grid_scale_by_diagonal(grid_local_matrix *t, const grid_local_matrix *a, const grid_local_matrix *d,
                                GrB_BinaryOp mul, bool rows);
#endif
