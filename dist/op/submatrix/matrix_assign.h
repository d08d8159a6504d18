/* Assignment of a value of any type to a matrix, for other operations. */
#ifndef GRID_MATRIX_ASSIGN_H
#define GRID_MATRIX_ASSIGN_H
#include "dist/matrix/matrix.h"

/* GrB_assign of the value x of `type` (NULL: no entries). Collective, agreed on. */
GrB_Info grid_matrix_assign_value(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, const void *x,
                                  GrB_Type type, const GrB_Index *I, GrB_Index ni, const GrB_Index *J,
                                  GrB_Index nj, GrB_Descriptor desc);
#endif
