/* Entries of a process as tuples. */
#include "dist/matrix/transfer/local_tuples.h"

#include "dist/matrix/properties/cached_properties.h"
#include "dist/matrix/storage/matrix_bitmap.h"
#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/matrix/transfer/matrix_route.h"
#include "spmat/cpu/matrix/lmat_tuples.h"

uint64_t grid_matrix_local_nvals(GrB_Matrix A) {
  return A->block.nvals + grid_cached_nvals(A);
}

/* See local_tuples.h. */
GrB_Info grid_matrix_block_tuples(GrB_Matrix A, const grid_local_matrix *block, uint64_t *row, uint64_t *col,
                                  void *val, GrB_Type xt) {
  if (A->pages) return grid_paged_tuples(A, row, col, val, xt);
  grid_index_map rows = grid_block_row_map(A), cols = grid_block_col_map(A);
  rows.axis = &block->row, cols.axis = &block->col;
  grid_lmat_to_tuples(row, col, val, xt, block, &rows, &cols);
  return GrB_SUCCESS;
}

/* *t = the entries of `block`, on the host, and of cached properties. */
static GrB_Info collect_block(GrB_Matrix A, const grid_local_matrix *block, grid_tuples *t, uint64_t capacity,
                              bool values) {
  *t = (grid_tuples){.row = grid_malloc(capacity, 8),
                     .col = grid_malloc(capacity, 8),
                     .val = values ? grid_malloc(capacity, A->type->size) : NULL};
  if (!t->row || !t->col || (values && !t->val)) {
    grid_tuples_free(t);
    return grid_fail_memory(&A->head, "matrix tuples", capacity, 16 + A->type->size);
  }
  const GrB_Info info = grid_matrix_block_tuples(A, block, t->row, t->col, t->val, A->type);
  t->n = block->nvals;
  if (info == GrB_SUCCESS)
    grid_cached_tuples(A, t);
  else
    grid_tuples_free(t);
  return info;
}

static GrB_Info collect_local(GrB_Matrix A, grid_tuples *t, uint64_t capacity, bool values) {
  GrB_Info info = grid_matrix_to_host(A);
  if (info == GrB_SUCCESS) info = grid_dense_local_rows(A);
  return info == GrB_SUCCESS ? collect_block(A, &A->block, t, capacity, values) : info;
}

GrB_Info grid_matrix_host_tuples(GrB_Matrix A, grid_tuples *t, bool values) {
  return collect_local(A, t, grid_matrix_local_nvals(A), values);
}

GrB_Info grid_matrix_tuples(GrB_Matrix A, grid_tuples *t) {
  return collect_local(A, t, grid_matrix_local_nvals(A), !A->block.iso);
}

GrB_Info grid_matrix_tuples_reserve(GrB_Matrix A, grid_tuples *t, uint64_t more) {
  return collect_local(A, t, grid_matrix_local_nvals(A) + more, true);
}

/* The block stays in its memory: other processes may not know of this call. */
GrB_Info grid_matrix_copy_tuples(GrB_Matrix A, grid_tuples *t, uint64_t capacity, bool values) {
  if (!A->block.device) return collect_local(A, t, capacity, values);
  grid_local_matrix copy;
  GrB_Info info = grid_lmat_copy_to_host(&copy, &A->block);
  if (info == GrB_SUCCESS) info = grid_cached_to_host(A);
  if (info == GrB_SUCCESS) info = collect_block(A, &copy, t, capacity, values);
  grid_lmat_free(&copy);
  return info;
}
