/* The transpose of a matrix as local matrices. On one process the columns of the block, if it has them, are
 * the rows of the transpose; else they are made of its rows. On several processes entries are sent to the
 * owners of their new positions. They go from device to device; as keys (transpose_exchange.h); or as tuples,
 * if the matrix is split or has few entries for its dimensions. A symmetric matrix is copied. */
#include "dist/matrix/transfer/matrix_route.h"
#include "dist/matrix/transfer/transpose_exchange.h"
#include "spmat/device/device.h"
#include "spmat/lmat_ops.h"

static GrB_Info transposed_local(GrB_Matrix A, grid_local_matrix *t) {
  return grid_lmat_transpose(&A->block, A->properties.symmetric, t);
}

static GrB_Info transposed_by_tuples(GrB_Matrix A, GrB_Matrix like, grid_local_matrix *t, const char *call) {
  grid_tuples x = {0};
  GrB_Info info = grid_matrix_tuples(A, &x);
  uint64_t *row = x.row;
  x.row = x.col, x.col = row;
  return grid_route_tuples(like, &x, A->type, A->block.iso_val, info, t, call);
}

static GrB_Info transposed_on_host(GrB_Matrix A, GrB_Matrix like, grid_local_matrix *t, const char *call) {
  const bool symmetric = A->properties.symmetric;
  if (A->delegates.split || (!symmetric && !grid_transpose_exchange_applies(A)))
    return transposed_by_tuples(A, like, t, call);
  if (A->placement.on_device) {
    GrB_Info info = grid_agree(&A->head, grid_matrix_to_host(A));
    if (info != GrB_SUCCESS) return info;
  }
  if (symmetric) return grid_agree(&A->head, grid_cpu_lmat_copy_rows(t, &A->block));
  return grid_transpose_exchange(A, t);
}

/* Several processes, from device memory to device memory; GRID_UNSUPPORTED as in grid_route_device. */
static GrB_Info transposed_on_device(GrB_Matrix A, GrB_Matrix like, grid_local_matrix *t) {
  const grid_index_map rows = grid_block_row_map(A), cols = grid_block_col_map(A);
  if (A->delegates.split || !grid_device_is_on()) return GRID_UNSUPPORTED;
  if (A->properties.symmetric) return grid_agree(&like->head, grid_lmat_copy_rows(t, &A->block));
  GrB_Info info = grid_route_device(like, &A->block, &rows, &cols, true, GrB_SUCCESS, t);
  if (info == GRID_UNSUPPORTED) grid_report_fallback("transpose of matrices on several processes");
  return info;
}

GrB_Info grid_matrix_transposed(GrB_Matrix A, GrB_Matrix like, grid_local_matrix *t, bool may_move,
                                const char *call) {
  grid_lmat_init(t, A->type, grid_block_rows(like->nrows), grid_block_cols(like->ncols));
  GrB_Info info = grid_matrix_require(A, GRID_ROWS);
  if (info == GrB_SUCCESS && !A->delegates.split) info = grid_matrix_agree_iso(A);
  if (info != GrB_SUCCESS) return info;
  if (grid_ctx.P > 1 && may_move && (info = transposed_on_device(A, like, t)) != GRID_UNSUPPORTED)
    return info;
  if (grid_ctx.P > 1 || A->delegates.split) return transposed_on_host(A, like, t, call);
  return grid_agree(&like->head, transposed_local(A, t));
}
