/* mxm_diagonal.h: A times a diagonal matrix scales A's columns: no entry meets another. */
#ifndef GRID_MXM_DIAGONAL_H
#define GRID_MXM_DIAGONAL_H
#include "dist/matrix/matrix.h"

/* Is every entry of B, whose rows are there, on its diagonal, and does every column of A that has an entry
 * have one there? Inner indices have one numbering. Local. */
bool grid_is_diagonal_scaling(const grid_local_matrix *a, const grid_local_matrix *b);
/* *t, empty, = A B for such a B: A's pattern. */
GrB_Info grid_scale_by_diagonal(grid_local_matrix *t, const grid_local_matrix *a, const grid_local_matrix *b,
                                GrB_BinaryOp mul);
#endif
