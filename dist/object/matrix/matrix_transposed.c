/* The transpose of a matrix as a part. On one process the block's columns, if it has them, are the rows that
 * are wanted; else they are made of its rows. On several processes each entry goes to the owner of its new
 * place. */
#include "dist/object/matrix/matrix_route.h"

static GrB_Info transposed_here(GrB_Matrix A, grid_part *t) {
  GrB_Info info = grid_matrix_to_host(A);
  return info == GrB_SUCCESS ? grid_part_transposed(&A->block, A->symmetric, t) : info;
}

static GrB_Info transposed_elsewhere(GrB_Matrix A, GrB_Matrix like, grid_part *t, const char *call) {
  grid_tuples x = {0};
  GrB_Info info = grid_matrix_tuples(A, &x);
  uint64_t *row = x.row;
  x.row = x.col, x.col = row;
  return grid_route_tuples(like, &x, A->type, A->block.iso_val, info, t, call);
}

GrB_Info grid_matrix_transposed(GrB_Matrix A, GrB_Matrix like, grid_part *t, const char *call) {
  grid_part_init(t, A->type, grid_block_rows(like->nrows), grid_block_cols(like->ncols));
  GrB_Info info = grid_matrix_complete(A);
  if (info == GrB_SUCCESS && !A->split) info = grid_matrix_agree_iso(A);
  if (info != GrB_SUCCESS) return info;
  if (grid_here.P > 1 || A->split) return transposed_elsewhere(A, like, t, call);
  return grid_agree(&like->head, transposed_here(A, t));
}
