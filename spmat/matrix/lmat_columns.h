/* Makes the columns of a local matrix from its rows, on the host. */
#ifndef GRID_LMAT_COLUMNS_H
#define GRID_LMAT_COLUMNS_H
#include "spmat/matrix/local_matrix.h"

/* *to = by_col of p, which has by_row: offsets, idx, and val unless p is iso. On failure *to is empty. */
GrB_Info grid_lmat_make_columns(const grid_local_matrix *p, grid_compressed *to);
#endif
