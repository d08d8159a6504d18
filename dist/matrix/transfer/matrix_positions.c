/* See matrix_positions.h. */
#include "dist/matrix/transfer/matrix_positions.h"

#include "dist/matrix/matrix_output.h"
#include "dist/matrix/transfer/matrix_route.h"
#include "spmat/lmat_ops.h"

GrB_Info grid_matrix_positions(GrB_Matrix *P, GrB_Matrix A, bool rows, int shift, GrB_Type type) {
  GrB_Info info;
  const int64_t shift64 = shift;
  const int32_t shift32 = shift;
  const grid_desc d = {0};
  grid_local_matrix t;
  *P = NULL;
  TRY(GrB_Matrix_new(P, type, A->nrows, A->ncols));
  TRY(grid_matrix_require(A, GRID_WHOLE));
  grid_index_map row = grid_block_row_map(A), col = grid_block_col_map(A);
  row.axis = &A->block.row, col.axis = &A->block.col;
  info =
      grid_lmat_apply_index(&t, &A->block, grid_position_index_op(type, rows),
                            type == GrB_INT64 ? (const void *)&shift64 : (const void *)&shift32, &row, &col);
  info = grid_finish_matrix(*P, NULL, NULL, &d, &t, false, info);
done:
  return info;
}
