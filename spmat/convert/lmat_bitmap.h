/* A part as a chunk: the entry in row r and column c of so many rows and columns is the chunk's entry r *
 * cols + c. That is how bitmap and full blocks are kept, and the one place that converts them. */
#ifndef GRID_LMAT_BITMAP_H
#define GRID_LMAT_BITMAP_H
#include "spmat/matrix/local_matrix.h"
#include "spmat/vector/chunk.h"

/* *c (a new one) = p, which is on the host and by row, or has no entries, as a chunk
 * of so many entries is kept: a list, a bitmap, or full. p's own axes
 * may be longer than rows and cols, but hold nothing beyond them. On failure *c is empty. */
GrB_Info grid_lmat_to_chunk(grid_chunk *c, const grid_local_matrix *p, uint64_t rows, uint64_t cols);
/* p, which is empty, = c, by row, its axes as the entries want them. On failure p stays empty. */
GrB_Info grid_lmat_from_chunk(grid_local_matrix *p, const grid_chunk *c, uint64_t rows, uint64_t cols);
#endif
