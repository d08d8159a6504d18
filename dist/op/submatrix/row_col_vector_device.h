/* A row or a column of a matrix as a vector, and back, in device memory:
 * row_col_vector.h's steps where the device is on. A block's segment of a line is dealt out by chunks to the
 * processes that share its columns (rows), or put together from them. */
#ifndef GRID_ROW_COL_VECTOR_DEVICE_H
#define GRID_ROW_COL_VECTOR_DEVICE_H
#include "dist/matrix/matrix.h"
#include "dist/vector/vector.h"

/* u, a new vector of A's type, becomes row or column v of A, which has its rows. GRID_UNSUPPORTED, on all:
 * the host must do it, and u is empty. Collective, agreed on. */
GrB_Info grid_matrix_get_vector_device(GrB_Vector u, GrB_Matrix A, bool row, uint64_t v);
/* t = a part like C's block with w's entries, of C's type, in row or column v; w is spent. Likewise. */
GrB_Info grid_vector_to_lmat_device(grid_local_matrix *t, GrB_Matrix C, GrB_Vector w, bool row, uint64_t v);
#endif
