/* The rows or columns of a matrix's entries as values, for positional operators. */
#ifndef GRID_MATRIX_POSITIONS_H
#define GRID_MATRIX_POSITIONS_H
#include "dist/matrix/matrix.h"

/* *P becomes a new matrix with A's entries, whose values are `shift` + their row (rows) or column in the
 * whole matrix, of type INT32 or INT64. A may have any type. After an error *P is NULL, or a matrix that the
 * caller frees. Collective, agreed on. */
GrB_Info grid_matrix_positions(GrB_Matrix *P, GrB_Matrix A, bool rows, int shift, GrB_Type type);
#endif
