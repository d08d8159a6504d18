/* mxm_whole.c: see mxm_whole.h. */
#include "dist/op/matrix/mxm_whole.h"

#include "dist/object/matrix/matrix_whole.h"
#include "spmat/device/device.h"
#include "spmat/parts.h"

void grid_mxm_operands_free(grid_mxm_operands *o) {
  if (o->a.type) grid_part_free(&o->a);
  if (o->b.type) grid_part_free(&o->b);
}

/* The rows of C that its block has, in order: a stretch, or (*memory, to be freed) chunks here and there. */
static GrB_Info own_rows(grid_index_set *set, uint64_t **memory, uint64_t dim) {
  const uint64_t n = grid_block_length(dim, true);
  uint64_t k = 0;
  *set = (grid_index_set){.first = grid_chunk_first(dim, grid_here.k), .n = n};
  if (grid_here.C == 1) return GrB_SUCCESS;
  *memory = grid_malloc(n, sizeof **memory);
  if (!*memory) return grid_fail_memory(NULL, "rows of a block", n, sizeof **memory);
  for (int s = 0; s < grid_here.C; s++) {
    const int chunk = grid_block_chunk(true, s);
    const uint64_t first = grid_chunk_first(dim, chunk), end = first + grid_chunk_length(dim, chunk);
    for (uint64_t r = first; r < end; r++) (*memory)[k++] = r;
  }
  *set = grid_index_set_of(*memory, n);
  return GrB_SUCCESS;
}

static GrB_Info take_rows(grid_part *a, GrB_Matrix C, GrB_Matrix A, bool flip) {
  grid_part all;
  grid_index_set rows;
  uint64_t *memory = NULL;
  GrB_Info info = grid_matrix_whole_device(&all, A, flip);
  if (info != GrB_SUCCESS) return info;
  const grid_index_set inner = {.n = all.col.dim};
  info = own_rows(&rows, &memory, C->nrows);
  grid_part_init(a, A->type, C->block.row.dim, all.col.dim);
  if (info == GrB_SUCCESS) info = grid_parts_extract(a, &all, &rows, &inner);
  if (info == GrB_SUCCESS && a->nvals && !a->device) info = GRID_NOT_HERE; /* no room there */
  grid_part_free(&all);
  grid_free(memory);
  return info;
}

static GrB_Info take_cols(grid_part *b, GrB_Matrix C, GrB_Matrix B, bool flip) {
  grid_part all;
  GrB_Info info = grid_matrix_whole_device(&all, B, flip);
  if (info != GrB_SUCCESS) return info;
  const grid_index_set inner = {.n = all.row.dim}, cols = {.first = grid_global_col(C->ncols, 0),
                                                           .n = grid_block_length(C->ncols, false)};
  grid_part_init(b, B->type, all.row.dim, C->block.col.dim);
  info = grid_parts_extract(b, &all, &inner, &cols);
  if (info == GrB_SUCCESS && b->nvals && !b->device) info = GRID_NOT_HERE;
  grid_part_free(&all);
  return info;
}

/* What the device has no room for the host may have. */
static GrB_Info or_elsewhere(GrB_Info info) {
  return info == GrB_OUT_OF_MEMORY ? GRID_NOT_HERE : info;
}

GrB_Info grid_mxm_operands_take(grid_mxm_operands *o, GrB_Matrix C, GrB_Matrix A, bool flip_a, GrB_Matrix B,
                                bool flip_b) {
  *o = (grid_mxm_operands){.a = {.nvals = 0}};
  if (grid_cuts_of(C->nrows) || grid_cuts_of(C->ncols)) return GRID_NOT_HERE;
  GrB_Info info = grid_agree_here(&C->head, or_elsewhere(take_rows(&o->a, C, A, flip_a)));
  if (info == GrB_SUCCESS) info = grid_agree_here(&C->head, or_elsewhere(take_cols(&o->b, C, B, flip_b)));
  return info;
}
