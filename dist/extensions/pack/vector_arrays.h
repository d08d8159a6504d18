/* The entries of a vector that a process owns, in arrays of the program. The members p and h of grid_packed
 * are not used, by_column neither. */
#ifndef GRID_VECTOR_ARRAYS_H
#define GRID_VECTOR_ARRAYS_H
#include "dist/extensions/pack/packed_arrays.h"
#include "dist/vector/vector.h"

/* v's entries become those of a, whose nvals is the number of elements of i. Errors as grid_matrix_pack.
 * Collective, agreed on; on failure v is unchanged. */
GrB_Info grid_vector_pack(GrB_Vector v, const grid_packed *a, const char *call);
/* Allocates and fills the arrays of a->form. v, whose changes are merged, keeps its entries. `fail`: what a
 * vector without all entries gives where the form is full. Collective, agreed on; on failure there are no
 * arrays. */
GrB_Info grid_vector_unpack(grid_packed *a, GrB_Vector v, bool may_be_iso, GrB_Info fail, const char *call);
/* *t (new) = v's own range from arrays that the form has; local, without agreement. */
GrB_Info grid_chunk_from_arrays(grid_chunk *t, const grid_packed *a, uint64_t first, const char *call);
#endif
