/* The steps of grid_matrix_require (matrix.h), for dist/matrix alone. All are collective and agreed on. */
#ifndef GRID_MATRIX_REQUIRE_H
#define GRID_MATRIX_REQUIRE_H
#include "dist/matrix/matrix.h"

/* matrix_pending.c: pending changes are merged into the rows of the blocks, or into those of a split matrix,
 * which is whole afterwards. */
GrB_Info grid_matrix_merge_rows(GrB_Matrix A);
GrB_Info grid_matrix_merge_parts(GrB_Matrix A);
/* properties/block_forms.c: the forms of `want` that the blocks lack. A has rows. */
GrB_Info grid_matrix_add_forms(GrB_Matrix A, unsigned want);
/* properties/device_forms.c: the forms that GRID_READY makes with the device on, the same on every process;
 * does A have them? */
unsigned grid_matrix_device_forms(GrB_Matrix A);
/* Do several GPUs run a search in A as one kernel, through windows? The same on every process. */
bool grid_matrix_is_searched_in_windows(GrB_Matrix A);
bool grid_matrix_has_device_forms(GrB_Matrix A);
/* Does A get its forms when a product or a search requires them? */
bool grid_matrix_makes_forms_late(GrB_Matrix A);
/* matrix_ready.c: a split matrix gets one block again. */
GrB_Info grid_matrix_merge_split(GrB_Matrix A);
/* storage/matrix_placement.c: blocks move after the device was turned on or off. */
GrB_Info grid_matrix_follow_device(GrB_Matrix A);
/* Nothing of a copy of a matrix is on the device any more. */
GrB_Info grid_matrix_leave_device(GrB_Matrix A);
/* GRID_READY of a matrix that has rows. */
GrB_Info grid_matrix_make_ready(GrB_Matrix A);
#endif
