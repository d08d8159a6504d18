/* The form of a matrix or vector in SuiteSparse's terms, whether it is iso, and the fields about these. */
#ifndef GRID_STORAGE_FORM_H
#define GRID_STORAGE_FORM_H
#include "dist/interchange/fields.h"
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

/* Fields of fields.c. */
GrB_Info grid_get_format(const grid_subject *s, const grid_field *f, int64_t *value);
GrB_Info grid_set_format(const grid_subject *s, const grid_field *f, int32_t value);
GrB_Info grid_get_sparsity(const grid_subject *s, const grid_field *f, int64_t *value);
GrB_Info grid_set_sparsity(const grid_subject *s, const grid_field *f, int32_t value);
/* GxB_SPARSITY_STATUS and GxB_ISO. Collective for vectors, GxB_ISO for matrices as well. */
GrB_Info grid_get_status(const grid_subject *s, const grid_field *f, int64_t *value);
GrB_Info grid_get_iso(const grid_subject *s, const grid_field *f, int64_t *value);
GrB_Info grid_get_switch(const grid_subject *s, const grid_field *f, double *value);
GrB_Info grid_set_switch(const grid_subject *s, const grid_field *f, double value);
#endif
