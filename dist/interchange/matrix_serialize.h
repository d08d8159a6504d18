/* GrB_Matrix_deserialize for a caller that reads the matrix in memory. */
#ifndef GRID_MATRIX_SERIALIZE_H
#define GRID_MATRIX_SERIALIZE_H
#include "dist/matrix/matrix.h"
#include "spmat/convert/lmat_serialize.h"

/* *A = the matrix of a checked blob; type: its type, or NULL; `what` names that argument. in_memory: it is
 * not written to pages, even if it is beyond the budget. Collective, agreed on. */
GrB_Info grid_matrix_of_blob(GrB_Matrix *A, GrB_Type type, const char *what, const grid_blob *b,
                             bool in_memory, const char *call);
#endif
