/* The form of a matrix or vector in SuiteSparse's terms, and whether it is iso. */
#ifndef GRID_STORAGE_FORM_H
#define GRID_STORAGE_FORM_H
#include "dist/matrix/matrix.h"
#include "dist/vector/vector.h"

/* GxB_HYPERSPARSE, GxB_SPARSE, GxB_BITMAP or GxB_FULL, one that the object's GxB_SPARSITY_CONTROL allows. By
 * what all processes know alike. A's changes need not be merged. Local. */
int grid_matrix_form(GrB_Matrix A);
/* nvals: v's entries over the grid. */
int grid_vector_form(GrB_Vector v, uint64_t nvals);
/* Is it by column? */
static inline bool grid_matrix_is_by_column(GrB_Matrix A) {
  return A->hints.orientation == GrB_COLMAJOR;
}
/* Is there one value for all entries? Collective, agreed on. */
GrB_Info grid_matrix_is_iso(bool *iso, GrB_Matrix A);
GrB_Info grid_vector_is_iso(bool *iso, GrB_Vector v);
#endif
