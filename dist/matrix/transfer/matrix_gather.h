/* A matrix, or the rows or columns of it that a process owns, as one local matrix on the host: for export to
 * arrays. */
#ifndef GRID_MATRIX_GATHER_H
#define GRID_MATRIX_GATHER_H
#include "dist/matrix/matrix_output.h"

typedef struct {
  const grid_local_matrix *p; /* by rows, which are those of the matrix or the owned ones */
  grid_local_matrix made; /* what p points to; empty: p is the matrix's own block, which may have padding */
  /* global position of p's row 0 and column 0; numbers of rows and columns */
  uint64_t row, col, nrows, ncols;
  bool borrowed; /* the arrays of `made` are in memory that processes share */
} grid_replicated_matrix;

/* All of A on every process. Collective, agreed on; *w must be freed, after an error too. */
GrB_Info grid_matrix_replicate(grid_replicated_matrix *w, GrB_Matrix A, const char *call);
/* The same in one copy that processes share, if w->borrowed; else *w is empty. The caller reads it before any
 * other message, and copies none of its arrays by functions that retain them (grid_lmat_share_pattern).
 * values false: those of *w have no meaning. */
GrB_Info grid_matrix_try_view(grid_replicated_matrix *w, GrB_Matrix A, bool values, const char *call);
/* By grid_matrix_try_view where that is possible. */
GrB_Info grid_matrix_view(grid_replicated_matrix *w, GrB_Matrix A, bool values, const char *call);
/* The rows of Grid_local_range, or the columns, on their owner. */
GrB_Info grid_matrix_share(grid_replicated_matrix *w, GrB_Matrix A, bool columns, const char *call);
void grid_replicated_matrix_free(grid_replicated_matrix *w);
/* gather_rows.c: all of A where the rows of blocks can be concatenated and no axis needs a list; both
 * dimensions have the length of the blocks' columns. *gathered: false, the same on all, if they cannot, and t
 * is empty. Collective, agreed on. */
GrB_Info grid_matrix_gather_rows(grid_local_matrix *t, GrB_Matrix A, bool *gathered);
/* share_rows.c: all rows, on any grid, in one copy that all processes share, of the nrows x ncols matrix
 * whose block, on the host by row, this process has. On a grid of one column t has the padding of a block's
 * columns, on others none. values false: those of t have no meaning. Its arrays last until this process takes
 * part in the third later shared_buffer (transport.h). *shared: false, the same on all, if there is too
 * little memory; t is empty then. Collective, agreed on; the caller forgets t's arrays and frees t, also
 * after an error. Only where it is possible for the matrix of the block, or its transpose: the same on all
 * processes. */
GrB_Info grid_share_rows(grid_local_matrix *t, const grid_local_matrix *block, uint64_t nrows, uint64_t ncols,
                         bool values, bool *shared);
bool grid_can_share_rows(GrB_Matrix A);
/* Are offsets of all rows no more memory than tuples? The same on all processes. Then *made = all of A, rows
 * x cols; iso: its entries have the value *one. Collective, agreed on. */
bool grid_can_concatenate_rows(GrB_Matrix A);
GrB_Info grid_concatenate_rows(grid_local_matrix *made, GrB_Matrix A, uint64_t rows, uint64_t cols, bool iso,
                               const char *one);
/* gather_rows_device.c: the same in device memory; t is overwritten. GRID_UNSUPPORTED, on all: it cannot be
 * done, or some device has no room. */
GrB_Info grid_matrix_gather_rows_device(grid_local_matrix *t, GrB_Matrix A);
/* matrix_route_device.c: all of A, or of its transpose, in the memory of every device, on any grid.
 * GRID_UNSUPPORTED, on all: it cannot be done. Collective, agreed on; t must be freed. */
GrB_Info grid_matrix_replicate_device(grid_local_matrix *t, GrB_Matrix A, bool flip);
#endif
