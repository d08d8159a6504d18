/* GrB_Matrix_deserialize for a caller that reads the matrix in memory. */
#ifndef GRID_MATRIX_SERIALIZE_H
#define GRID_MATRIX_SERIALIZE_H
#include "dist/matrix/matrix.h"

/* in_memory: the matrix is not written to pages, even if it is beyond the budget. Collective, agreed on. */
GrB_Info grid_matrix_deserialize(GrB_Matrix *A, GrB_Type d, const void *serialized_data,
                                 GrB_Index serialized_size, bool in_memory);
#endif
