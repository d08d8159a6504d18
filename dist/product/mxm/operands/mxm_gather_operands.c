/* See mxm_gather_operands.h. */
#include "dist/product/mxm/operands/mxm_gather_operands.h"

#include "dist/matrix/transfer/matrix_gather.h"
#include "spmat/device/device.h"
#include "spmat/lmat_ops.h"

void grid_mxm_operands_free(grid_mxm_operands *o) {
  if (o->a.type) grid_lmat_free(&o->a);
  if (o->b.type) grid_lmat_free(&o->b);
}

/* The global rows of this process's block, ascending: a range, or (in *memory, freed by the caller) a list.
 */
static GrB_Info local_rows(grid_index_set *set, uint64_t **memory, uint64_t dim) {
  const uint64_t n = grid_block_length(dim, true);
  uint64_t k = 0;
  *set = (grid_index_set){.first = grid_chunk_first(dim, grid_ctx.k), .n = n};
  if (grid_ctx.C == 1) return GrB_SUCCESS;
  *memory = grid_malloc(n, sizeof **memory);
  if (!*memory) return grid_fail_memory(NULL, "rows of a block", n, sizeof **memory);
  for (int s = 0; s < grid_ctx.C; s++) {
    const int chunk = grid_block_chunk(true, s);
    const uint64_t first = grid_chunk_first(dim, chunk), end = first + grid_chunk_length(dim, chunk);
    for (uint64_t r = first; r < end; r++) (*memory)[k++] = r;
  }
  *set = grid_index_set_of(*memory, n);
  return GrB_SUCCESS;
}

static GrB_Info gather_rows(grid_local_matrix *a, GrB_Matrix C, GrB_Matrix A, bool flip) {
  grid_local_matrix all;
  grid_index_set rows;
  uint64_t *memory = NULL;
  GrB_Info info = grid_matrix_replicate_device(&all, A, flip);
  if (info != GrB_SUCCESS) return info;
  const grid_index_set inner = {.n = all.col.dim};
  info = local_rows(&rows, &memory, C->nrows);
  grid_lmat_init(a, A->type, C->block.row.dim, all.col.dim);
  if (info == GrB_SUCCESS) info = grid_lmat_extract(a, &all, &rows, &inner);
  if (info == GrB_SUCCESS && a->nvals && !a->device) info = GRID_UNSUPPORTED; /* no device memory */
  grid_lmat_free(&all);
  grid_free(memory);
  return info;
}

static GrB_Info gather_cols(grid_local_matrix *b, GrB_Matrix C, GrB_Matrix B, bool flip) {
  grid_local_matrix all;
  GrB_Info info = grid_matrix_replicate_device(&all, B, flip);
  if (info != GrB_SUCCESS) return info;
  const grid_index_set inner = {.n = all.row.dim}, cols = {.first = grid_global_col(C->ncols, 0),
                                                           .n = grid_block_length(C->ncols, false)};
  grid_lmat_init(b, B->type, all.row.dim, C->block.col.dim);
  info = grid_lmat_extract(b, &all, &inner, &cols);
  if (info == GrB_SUCCESS && b->nvals && !b->device) info = GRID_UNSUPPORTED;
  grid_lmat_free(&all);
  return info;
}

/* If device memory is short, the product is computed on the host. */
static GrB_Info unsupported_if_no_memory(GrB_Info info) {
  return info == GrB_OUT_OF_MEMORY ? GRID_UNSUPPORTED : info;
}

GrB_Info grid_mxm_operands_prepare(grid_mxm_operands *o, GrB_Matrix C, GrB_Matrix A, bool flip_a,
                                   GrB_Matrix B, bool flip_b) {
  *o = (grid_mxm_operands){.a = {.nvals = 0}};
  GrB_Info info = grid_agree_supported(&C->head, unsupported_if_no_memory(gather_rows(&o->a, C, A, flip_a)));
  if (info == GrB_SUCCESS)
    info = grid_agree_supported(&C->head, unsupported_if_no_memory(gather_cols(&o->b, C, B, flip_b)));
  return info;
}
