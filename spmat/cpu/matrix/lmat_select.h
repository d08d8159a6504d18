/* lmat_select.h: the entries of a part that an operator says yes to. */
#ifndef GRID_LMAT_SELECT_H
#define GRID_LMAT_SELECT_H
#include "spmat/local_product.h"

/* z (empty) becomes those entries of a for which op(a(i, j), i, j, y) is true, rows and columns as they stand
 * in the whole matrix, in its columns one behind the other; of a's type, with the axes that it wants. y is of
 * the operator's own type. a lies on the host. On failure z is empty. */
GrB_Info grid_cpu_lmat_select(grid_local_matrix *z, const grid_local_matrix *a, GrB_IndexUnaryOp op,
                              const void *y, const grid_index_map *rows, const grid_index_map *cols);
#endif
