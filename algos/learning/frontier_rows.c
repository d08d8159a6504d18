/* See frontier_rows.h. A process on a grid of one column has the rows of its vertices, and reads them where
 * they are. On several columns, on a device and in a page file they would have to be brought together, to the
 * host or into memory, all of them for each mini-batch: there the frontier's rows are extracted, in each hop.
 * They are spread evenly, so that a process gets rows of other vertices, whose numbers it gets as a vector.
 */
#include "algos/learning/frontier_rows.h"

#include "algos/learning/grow.h"
#include "algos/rows/local_values.h"

static bool needs_extraction(GrB_Matrix A) {
  int columns;
  bool paged;
  Grid_shape(NULL, &columns);
  Grid_Matrix_bytes_read(&paged, A);
  return columns > 1 || Grid_device() != Grid_CPU || paged;
}

GrB_Info grid_frontier_rows_begin(frontier_rows *f, GrB_Matrix A) {
  *f = (frontier_rows){.A = A, .extracted = needs_extraction(A)};
  return f->extracted ? GrB_SUCCESS : local_rows_view(&f->rows, A);
}

void grid_frontier_rows_free(frontier_rows *f) {
  local_rows_free(&f->rows);
  free(f->vertex);
}

/* vertex = this process's entries of v: their values, or their indices. Local. */
static GrB_Info list_entries(frontier_rows *f, GrB_Vector v, bool values) {
  GrB_Info info;
  f->count = UINT64_MAX; /* the call only counts */
  TRY(Grid_Vector_extractLocal(NULL, NULL, &f->count, v));
  GROW(f->vertex, f->count + 1);
  TRY(Grid_Vector_extractLocal(values ? NULL : f->vertex, values ? f->vertex : NULL, &f->count, v));
out:
  return info;
}

/* rows = A(frontier,:), as a matrix of `total` rows; vertex = the numbers of those on this process. */
static GrB_Info extract(frontier_rows *f, GrB_Index total) {
  GrB_Info info;
  GrB_Index n, before, *position = NULL;
  GrB_Type type;
  GrB_Matrix F = NULL;
  GrB_Vector vertices = NULL;
  TRY(GrB_Matrix_ncols(&n, f->A));
  TRY(Grid_agree(GxB_Matrix_type(&type, f->A), NULL));
  TRY(GrB_Matrix_new(&F, type, total, n));
  TRY(Grid_Matrix_extract(F, NULL, NULL, f->A, f->vertex, f->count, GrB_ALL, n, NULL));
  /* vertices(k) = the vertex of row k */
  TRY(grid_sum_before(&before, f->count));
  position = malloc((f->count + 1) * sizeof *position);
  TRY(Grid_agree(position == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS, "no memory for a frontier"));
  for (GrB_Index k = 0; k < f->count; k++) position[k] = before + k;
  TRY(GrB_Vector_new(&vertices, GrB_UINT64, total));
  TRY(Grid_Vector_build(vertices, position, f->vertex, GrB_UINT64, f->count, NULL));
  TRY(Grid_agree(list_entries(f, vertices, true), "no memory for a frontier"));
  local_rows_free(&f->rows);
  TRY(local_rows_view(&f->rows, F));
out:
  free(position);
  GrB_Matrix_free(&F);
  GrB_Vector_free(&vertices);
  return info;
}

GrB_Info grid_frontier_rows_read(frontier_rows *f, GrB_Vector frontier) {
  GrB_Info info;
  GrB_Index total;
  TRY(Grid_agree(list_entries(f, frontier, false), "no memory for a frontier"));
  if (!f->extracted) return info;
  TRY(GrB_Vector_nvals(&total, frontier));
  TRY(extract(f, total));
out:
  return info;
}
