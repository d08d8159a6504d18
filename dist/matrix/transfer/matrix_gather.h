/* matrix_gather.h: a matrix, or the rows or columns of it that a process owns, as one part on the host: what
 * leaves the library in arrays. */
#ifndef GRID_MATRIX_GATHER_H
#define GRID_MATRIX_GATHER_H
#include "dist/matrix/matrix_output.h"

typedef struct {
  const grid_local_matrix *p; /* by_row; its rows and columns are the matrix's, or those that are owned */
  grid_local_matrix made; /* where p is; nothing in it: p is the matrix's own block, and reaches further */
  /* row and column 0 of p in the matrix; how many rows and columns there are */
  uint64_t row, col, nrows, ncols;
} grid_replicated_matrix;

/* All of A, on every process. Collective, agreed on; *w is to be freed, after an error too. */
GrB_Info grid_matrix_replicate(grid_replicated_matrix *w, GrB_Matrix A, const char *call);
/* The rows of Grid_local_range, or the columns, on their owner. */
GrB_Info grid_matrix_share(grid_replicated_matrix *w, GrB_Matrix A, bool columns, const char *call);
void grid_replicated_matrix_free(grid_replicated_matrix *w);
/* The same where rows join as they lie and no axis lists its vectors; as long as blocks' columns are, both
 * dimensions. *joined: false, the same on all: that is not so, and t is empty. Collective, agreed on. */
GrB_Info grid_matrix_gather_rows(grid_local_matrix *t, GrB_Matrix A, bool *gathered);
/* gather_rows_device.c: the same in device memory; t is given as nothing. GRID_UNSUPPORTED, on all: that is
 * not so, or there is no room on some device. */
GrB_Info grid_matrix_gather_rows_device(grid_local_matrix *t, GrB_Matrix A);
/* matrix_route_device.c: all of A, or of its transpose, in the memory of every device, on any grid.
 * GRID_UNSUPPORTED, on all: that cannot be. Collective, agreed on; t is to be freed. */
GrB_Info grid_matrix_replicate_device(grid_local_matrix *t, GrB_Matrix A, bool flip);
#endif
