/* Row panels: some rows of a matrix as a matrix of the same dimensions, in memory, on which an out-of-core
 * operation runs (outofcore_run.h). */
#ifndef GRID_ROW_PANEL_H
#define GRID_ROW_PANEL_H
#include "dist/matrix/matrix_output.h"

/* Number of entries of row r of the block, and their bytes in memory; A is paged, or has its rows. Local. */
uint64_t grid_row_entries(GrB_Matrix A, uint64_t r);
uint64_t grid_row_bytes(GrB_Matrix A, uint64_t r);
/* p, empty, of the block's dimensions and type, gets the entries of rows first .. end, unshifted. Local; on
 * failure p is empty. */
GrB_Info grid_slice_lmat(grid_local_matrix *p, GrB_Matrix A, uint64_t first, uint64_t end);
/* *slice = a matrix with the entries of rows first .. end of each process's block, unshifted. Collective,
 * agreed on. */
GrB_Info grid_slice_make(GrB_Matrix *slice, GrB_Matrix A, uint64_t first, uint64_t end);
/* *slice = an empty matrix of A's type and dimensions. */
GrB_Info grid_slice_like(GrB_Matrix *slice, GrB_Matrix A);
/* Bytes that a row panel may take: one in `share` of those that the memory budget leaves once cached pages
 * are evicted, at least grid_tune.row_panel_min_bytes. */
uint64_t grid_slice_bytes(int share);
#endif
