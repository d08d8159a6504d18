/* Applies an operator to every entry of a local matrix. */
#ifndef GRID_LMAT_APPLY_H
#define GRID_LMAT_APPLY_H
#include "spmat/local_product.h"

/* z (empty) = op(a); op(x, a) (first) or op(a, x), of op's result type. It shares a's pattern and is iso if
 * that is known beforehand. x has op's operand type. a lies on the host. On failure z is empty. z may be a
 * itself if a has op's result type, of at most GRID_SMALL_VALUE bytes, and op uses a's values: these are
 * overwritten, which cannot fail. */
GrB_Info grid_cpu_lmat_apply(grid_local_matrix *z, const grid_local_matrix *a, GrB_UnaryOp op);
GrB_Info grid_cpu_lmat_apply_bound(grid_local_matrix *z, const grid_local_matrix *a, GrB_BinaryOp op,
                                   const void *x, bool first);
/* op(a(i, j), i, j, y), with global rows and columns. */
GrB_Info grid_cpu_lmat_apply_index(grid_local_matrix *z, const grid_local_matrix *a, GrB_IndexUnaryOp op,
                                   const void *y, const grid_index_map *rows, const grid_index_map *cols);
#endif
