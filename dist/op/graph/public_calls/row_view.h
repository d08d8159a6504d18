/* The rows of a matrix that this process has, in terms of the public calls alone. */
#ifndef GRID_ROW_VIEW_H
#define GRID_ROW_VIEW_H
#include "gridblas.h"
#include "spmat/row_arrays.h"

/* *rows = the arrays of *view, which the caller frees in any case. Collective. */
static inline GrB_Info grid_view_rows(grid_row_arrays *rows, Grid_View *view, GrB_Matrix A) {
  GrB_Index n;
  GrB_Info info = GrB_Matrix_nrows(&n, A);
  if (info == GrB_SUCCESS) info = Grid_local_range(n, &rows->first, &rows->count);
  if (info == GrB_SUCCESS) info = Grid_Matrix_view(view, A);
  rows->indptr = view->indptr, rows->indptr_bytes = view->indptr_bytes;
  rows->indices = view->indices, rows->indices_bytes = view->indices_bytes;
  return info;
}
#endif
