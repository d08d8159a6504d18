/* The indices of a vector's entries as values, for positional operators. */
#ifndef GRID_VECTOR_POSITIONS_H
#define GRID_VECTOR_POSITIONS_H
#include "dist/vector/vector.h"

/* *p becomes a new vector with u's entries, whose values are `shift` + their index (rows), or + 0: a vector
 * is a column. Its type is INT32 or INT64, u's is any. After an error *p is NULL, or a vector that the caller
 * frees. Collective, agreed on. */
GrB_Info grid_vector_positions(GrB_Vector *p, GrB_Vector u, bool rows, int shift, GrB_Type type,
                               const char *call);
#endif
