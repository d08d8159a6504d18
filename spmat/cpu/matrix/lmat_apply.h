/* lmat_apply.h: an operator on every entry of a part. */
#ifndef GRID_LMAT_APPLY_H
#define GRID_LMAT_APPLY_H
#include "spmat/local_product.h"

/* z (empty) becomes op(a), op(x, a) (first) or op(a, x), of the operator's result type, with a's places,
 * whose arrays it shares; one value for all where that is known beforehand. The values given are of the
 * operator's own operand type. a lies on the host. On failure z is empty. z may be a
 * itself, of the operator's result type, of at most GRID_SMALL_VALUE bytes, if the operator uses a's values:
 * they are overwritten, and nothing can fail. */
GrB_Info grid_cpu_lmat_apply(grid_local_matrix *z, const grid_local_matrix *a, GrB_UnaryOp op);
GrB_Info grid_cpu_lmat_apply_bound(grid_local_matrix *z, const grid_local_matrix *a, GrB_BinaryOp op,
                                   const void *x, bool first);
/* op(a(i, j), i, j, y), with the rows and columns as they stand in the whole matrix. */
GrB_Info grid_cpu_lmat_apply_index(grid_local_matrix *z, const grid_local_matrix *a, GrB_IndexUnaryOp op,
                                   const void *y, const grid_index_map *rows, const grid_index_map *cols);
#endif
