/* Degrees of a matrix for programs: how many entries each row, or column, has. */
#include "dist/object/burble.h"
#include "dist/op/matrix_row_sums.h"

static GrB_Info degree(GrB_Vector w, GrB_Matrix A, bool by_column) {
  static const char call[] = "Grid_Matrix_degree";
  static const uint64_t one = 1;
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_check_matrix(A, call, "A"));
  TRY(grid_check_vector(w, call, "w"));
  info = grid_sum_rows(
      &(grid_row_sums){.call = call, .w = w, .monoid = GrB_PLUS_MONOID_UINT64, .A = A, .one = &one},
      by_column ? GrB_DESC_RT0 : GrB_DESC_R);
done:
  return info;
}

GrB_Info Grid_Matrix_degree(GrB_Vector w, GrB_Matrix A, bool by_column) {
  return GRID_TRACE_CALL("Grid_Matrix_degree", degree(w, A, by_column), w, A);
}
