/* The entries of a local matrix for which an operator is true. */
#ifndef GRID_LMAT_SELECT_H
#define GRID_LMAT_SELECT_H
#include "spmat/local_product.h"

/* z (empty) = the entries of a for which op(a(i, j), i, j, y) is true, with global rows and columns; of a's
 * type, with axes chosen by its entries. y is of op's operand type. a lies on the host. On failure z is
 * empty. */
GrB_Info grid_cpu_lmat_select(grid_local_matrix *z, const grid_local_matrix *a, GrB_IndexUnaryOp op,
                              const void *y, const grid_index_map *rows, const grid_index_map *cols);
#endif
