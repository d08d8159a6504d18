/* Edges as a matrix, for formats that store rows or allow one entry per position. */
#ifndef GRID_EDGE_MATRIX_H
#define GRID_EDGE_MATRIX_H
#include "dist/grid/process_grid.h"

/* The matrix of the edges, with both triangles if symmetric or skew-symmetric, as Grid_Matrix_read makes it
 * with these options, but for original_ids. Collective. */
GrB_Info grid_make_matrix_from_edges(GrB_Matrix *A, const Grid_Edges *e, const Grid_Read_Options *o);

/* The rows of this process's chunk. */
typedef struct {
  uint64_t nrows, ncols, nvals; /* of the whole matrix */
  uint64_t first, n;
  uint64_t start;       /* entries in preceding rows of other processes */
  uint64_t *ptr, *cols; /* ptr has n + 1 offsets from 0; cols has ptr[n] columns */
  double *values;       /* NULL: a pattern */
} grid_edge_rows;
GrB_Info grid_make_rows_from_edges(grid_edge_rows *r, const Grid_Edges *e);
void grid_edge_rows_free(grid_edge_rows *r);

/* *e, empty, gets each process's entries of A as edges. Fails for values that a double does not hold
 * exactly; a BOOL matrix that is true everywhere becomes a pattern. Collective. */
GrB_Info grid_make_edges_from_matrix(Grid_Edges *e, GrB_Matrix A, const char *path);
#endif
