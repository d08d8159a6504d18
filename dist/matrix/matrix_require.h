/* The steps of grid_matrix_require (matrix.h), for dist/matrix alone. All are collective and agreed on. */
#ifndef GRID_MATRIX_REQUIRE_H
#define GRID_MATRIX_REQUIRE_H
#include "dist/matrix/matrix.h"

/* matrix_pending.c: the entries come to memory, pending changes are merged. */
GrB_Info grid_matrix_merge(GrB_Matrix A);
/* matrix_pending.c: the pending changes of an out-of-core matrix are merged; if memory has no room for it,
 * slice by slice, into new pages. Another matrix stays as it is. */
GrB_Info grid_matrix_merge_outofcore(GrB_Matrix A);
/* properties/block_forms.c: the forms of `want` that the blocks lack. A has rows. */
GrB_Info grid_matrix_add_forms(GrB_Matrix A, unsigned want);
/* matrix_ready.c: a split matrix gets one block again. */
GrB_Info grid_matrix_merge_split(GrB_Matrix A);
/* storage/matrix_placement.c: blocks move after the device was turned on or off. */
GrB_Info grid_matrix_follow_device(GrB_Matrix A);
/* GRID_READY of a matrix that has rows. */
GrB_Info grid_matrix_make_ready(GrB_Matrix A);
#endif
