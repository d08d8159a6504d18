/* Edges as a matrix: for formats that list its rows, or have one entry at a place. */
#ifndef GRID_EDGE_MATRIX_H
#define GRID_EDGE_MATRIX_H
#include "dist/grid/process_grid.h"

/* The matrix of the edges, both triangles of a symmetric or skew-symmetric one: BOOL and a pattern, or FP64;
 * of several entries at one place the least. Collective. */
GrB_Info grid_make_matrix_from_edges(GrB_Matrix *A, const Grid_Edges *e);

/* This process's rows of it: the `n` from `first` on, in the order of the processes. */
typedef struct {
  uint64_t nrows, ncols, nvals; /* of the whole */
  uint64_t first, n;
  uint64_t start;       /* entries in the rows before */
  uint64_t *ptr, *cols; /* n + 1, from 0; ptr[n] entries */
  double *values;       /* NULL: a pattern */
} grid_edge_rows;
GrB_Info grid_make_rows_from_edges(grid_edge_rows *r, const Grid_Edges *e);
void grid_edge_rows_free(grid_edge_rows *r);

/* Takes A's entries as edges: *e, empty, gets each process's own. Values that are no doubles are refused;
 * a matrix of BOOL that is true everywhere is a pattern. Collective. */
GrB_Info grid_make_edges_from_matrix(Grid_Edges *e, GrB_Matrix A, const char *path);
#endif
