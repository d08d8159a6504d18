/* Global rows and columns of a block, as maps of its local indices. */
#include "dist/matrix/transfer/matrix_route.h"

grid_index_map grid_block_row_map(GrB_Matrix A) {
  grid_index_map x = {.axis = &A->block.row};
  const grid_partition *c = grid_partition_of(A->nrows);
  if (grid_ctx.C == 1) {
    x.base = grid_chunk_first(A->nrows, grid_ctx.k);
  } else {
    x.q = grid_even_size(A->nrows), x.stride = (uint64_t)grid_ctx.R, x.offset = (uint64_t)grid_ctx.i;
    if (c) x.segments = (uint64_t)grid_ctx.C, x.from = c->row + grid_ctx.i, x.to = c->first + grid_ctx.i;
  }
  return x;
}

grid_index_map grid_block_col_map(GrB_Matrix A) {
  return (grid_index_map){.axis = &A->block.col, .base = grid_global_col(A->ncols, 0)};
}
