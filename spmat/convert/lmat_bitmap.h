/* A local matrix as a chunk: the entry in row r and column c of rows x cols is the chunk's entry r * cols +
 * c. Bitmap and full blocks are stored so; this file alone converts them. */
#ifndef GRID_LMAT_BITMAP_H
#define GRID_LMAT_BITMAP_H
#include "spmat/matrix/local_matrix.h"
#include "spmat/vector/chunk.h"

/* *c (new) = p, which is on the host and by row, or has no entries, in the chunk format for its number of
 * entries. p's own axes may be longer than rows and cols, but have no entries beyond them. On failure *c is
 * empty. */
GrB_Info grid_lmat_to_chunk(grid_chunk *c, const grid_local_matrix *p, uint64_t rows, uint64_t cols);
/* The empty p = c, by row, with axes chosen by its entries. On failure p stays empty. */
GrB_Info grid_lmat_from_chunk(grid_local_matrix *p, const grid_chunk *c, uint64_t rows, uint64_t cols);
#endif
