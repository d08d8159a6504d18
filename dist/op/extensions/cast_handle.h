/* Handles of vectors and scalars that a program has cast to GrB_Matrix: in SuiteSparse:GraphBLAS all three
 * are matrices, and clients rely on it where there is no form for vectors. */
#ifndef GRID_CAST_HANDLE_H
#define GRID_CAST_HANDLE_H
#include "dist/matrix/matrix.h"
#include "dist/vector/vector.h"

/* Is a live object behind the handle a vector? */
static inline bool grid_is_vector_handle(GrB_Matrix handle) {
  return handle->head.kind == GRID_IS_VECTOR;
}

/* A matrix in place of a handle. */
typedef struct {
  GrB_Matrix A;    /* the object itself, or ... */
  GrB_Matrix made; /* ... a matrix of one column, or of one entry, that was made of it */
} grid_cast_handle;
/* Reads an argument named `what`. To be freed, after an error too. Collective, agreed on. */
GrB_Info grid_cast_handle_read(grid_cast_handle *x, GrB_Matrix handle, grid_head *out, const char *call,
                               const char *what);
static inline void grid_cast_handle_free(grid_cast_handle *x) {
  GrB_Matrix_free(&x->made);
}
/* *v = a new vector with the entries of A, which has one column. Collective, agreed on. */
GrB_Info grid_vector_of_column(GrB_Vector *v, GrB_Matrix A);
#endif
