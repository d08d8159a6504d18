/* Degrees of a matrix for programs: how many entries each row, or column, has. */
#include "dist/op/matrix_reduce.h"

GrB_Info Grid_Matrix_degree(GrB_Vector w, GrB_Matrix A, bool by_column) {
  const char *call = "Grid_Matrix_degree";
  GrB_Info info = grid_check_matrix(A, call, "A");
  if (info != GrB_SUCCESS) return info;
  if ((info = grid_check_vector(w, call, "w")) != GrB_SUCCESS) return info;
  GrB_Index n = by_column ? A->nrows : A->ncols;
  GrB_Vector ones = NULL;
  /* degrees are row sums of A's pattern: w = A plus.oneb 1 */
  TRY(GrB_Vector_new(&ones, GrB_BOOL, n));
  TRY(grid_matrix_ones(ones, A, by_column));
  TRY(GrB_mxv(w, NULL, NULL, Grid_PLUS_ONEB_SEMIRING_UINT64, A, ones, by_column ? GrB_DESC_RT0 : GrB_DESC_R));
done:
  GrB_Vector_free(&ones);
  return info;
}
