/* A local matrix with a vector on a diagonal. */
#ifndef GRID_LMAT_DIAGONAL_H
#define GRID_LMAT_DIAGONAL_H
#include "spmat/matrix/local_matrix.h"
#include "spmat/vector/chunk.h"

/* The empty t, of v's type, gets v's entries: index i of the chunk at local row `row` + i, column `col` + i.
 */
GrB_Info grid_cpu_lmat_diagonal(grid_local_matrix *t, const grid_chunk *v, uint64_t row, uint64_t col);
#endif
