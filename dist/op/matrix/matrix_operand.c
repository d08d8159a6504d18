/* See matrix_operand.h. */
#include "dist/op/matrix/matrix_operand.h"

#include "dist/matrix/transfer/matrix_route.h"
#include "spmat/device/device.h"

GrB_Info grid_operand_check(GrB_Matrix A, bool transposed, GrB_Matrix C, const char *call, const char *what) {
  return grid_check_shape(transposed ? A->ncols : A->nrows, transposed ? A->nrows : A->ncols, C->nrows,
                          C->ncols, &C->head, call, what, "C");
}

/* On one process and on the host the block's columns are the transpose's rows; they stay with A. */
static GrB_Info columns_as_rows(grid_local_matrix *view, GrB_Matrix A) {
  GrB_Info info = grid_matrix_require(A, GRID_COLS);
  if (info != GrB_SUCCESS) return info;
  *view = A->block;
  view->row = A->block.col, view->col = A->block.row;
  view->by_row = A->block.by_col, view->by_col = A->block.by_row;
  return info;
}

GrB_Info grid_operand_read(grid_operand *in, GrB_Matrix A, bool transposed, GrB_Matrix C, const char *call) {
  GrB_Info info = GrB_SUCCESS;
  *in = (grid_operand){0};
  TRY(grid_matrix_require(A, GRID_WHOLE));
  if (!transposed || A->properties.symmetric) {
    in->lmat = &A->block;
  } else {
    in->view = grid_ctx.P == 1 && !grid_device_is_on();
    if (in->view)
      TRY(columns_as_rows(&in->owned, A));
    else
      TRY(grid_matrix_transposed(A, C, &in->owned, true, call));
    in->lmat = &in->owned;
  }
  in->rows = grid_block_row_map(C), in->cols = grid_block_col_map(C);
  in->rows.axis = &in->lmat->row, in->cols.axis = &in->lmat->col;
done:
  return info;
}

void grid_operand_free(grid_operand *in) {
  if (!in->view) grid_lmat_free(&in->owned);
  *in = (grid_operand){0};
}
