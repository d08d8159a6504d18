/* All rows of a matrix on every process of a grid of one column (matrix_gather.h): blocks are intervals of
 * rows, which are concatenated, in each process's memory or once in memory that the processes share. */
#include <string.h>

#include "dist/matrix/transfer/matrix_gather.h"
#include "semiring/support/tuning.h"
#include "spmat/convert/lmat_format.h"
#include "spmat/vector/bound_operator.h"

bool grid_can_concatenate_rows(GrB_Matrix A) {
  const uint64_t rows = grid_block_cols(A->nrows), cols = grid_block_cols(A->ncols);
  return grid_ctx.C == 1 && A->nvals < grid_tune.offsets64_from &&
         grid_index_fits32(rows > cols ? rows : cols) && A->nrows / GRID_HYPER <= A->nvals + 1024;
}

/* *one (freed by the caller, after an error too) = the value of all entries, if *iso. Collective, agreed on.
 */
static GrB_Info agree_on_value(GrB_Matrix A, char **one, bool *iso) {
  const size_t size = A->type->size;
  const grid_local_matrix *p = &A->block;
  *one = grid_calloc(1, size);
  GrB_Info info = grid_agree(&A->head, *one ? GrB_SUCCESS : grid_fail_memory(&A->head, "a value", 1, size));
  if (info != GrB_SUCCESS) return info;
  if (p->iso && p->iso_val) memcpy(*one, p->iso_val, size);
  return grid_agree_on_iso_value(p->nvals > 0, p->iso, size, *one, iso);
}

/* ---- in each process's memory ---- */

/* Turns the row offsets of each process into offsets of the whole. */
static void concatenate_offsets(uint32_t *ptr, uint64_t rows) {
  uint32_t before = 0;
  uint64_t r = 0;
  ptr[0] = 0;
  for (int k = 0; k < grid_ctx.P; k++) {
    for (const uint64_t end = grid_chunk_first(rows, k + 1); r < end; r++) ptr[r + 1] += before;
    before = ptr[r];
  }
}

GrB_Info grid_concatenate_rows(grid_local_matrix *made, GrB_Matrix A, uint64_t rows, uint64_t cols, bool iso,
                               const char *one) {
  grid_expanded_lmat u;
  const grid_local_matrix *p = &u.lmat;
  const size_t size = A->type->size;
  GrB_Info info = grid_lmat_expand_hyper(&u, &A->block, true);
  grid_lmat_init(made, A->type, rows, cols);
  made->row.n = rows, made->col.n = cols, made->nvals = A->nvals;
  grid_compressed *c = &made->by_row;
  c->ptr = grid_malloc(rows + 1, sizeof *c->ptr);
  c->idx = grid_malloc(A->nvals, sizeof *c->idx);
  c->val = iso ? NULL : grid_malloc(A->nvals, size);
  char *own = !iso && p->iso ? grid_malloc(p->nvals, size) : NULL;
  if (info == GrB_SUCCESS && (!c->ptr || !c->idx || (!iso && !c->val) || (!iso && p->iso && !own)))
    info = grid_fail_memory(&A->head, "a whole matrix", A->nvals, sizeof *c->idx + size);
  if (info == GrB_SUCCESS && iso) info = grid_lmat_set_iso(made, one);
  TRY(grid_agree(&A->head, info));
  if (own) grid_value_fill(own, p->iso_val, size, p->nvals);
  TRY(grid_gather_into(p->by_row.ptr + 1, grid_chunk_length(A->nrows, grid_ctx.k), sizeof *c->ptr,
                       c->ptr + 1));
  TRY(grid_gather_into(p->by_row.idx, p->nvals, sizeof *c->idx, c->idx));
  if (!iso) TRY(grid_gather_into(own ? own : p->by_row.val, p->nvals, size, c->val));
  concatenate_offsets(c->ptr, A->nrows);
  for (uint64_t r = A->nrows; r < rows; r++) c->ptr[r + 1] = c->ptr[r];
done:
  grid_expanded_lmat_free(&u);
  grid_free(own);
  return info;
}

GrB_Info grid_matrix_gather_rows(grid_local_matrix *t, GrB_Matrix A, bool *gathered) {
  char *one = NULL;
  bool iso = false;
  GrB_Info info = GrB_SUCCESS;
  *gathered = grid_can_concatenate_rows(A) && grid_matrix_has_short_axes(A);
  if (!*gathered) return info;
  TRY(agree_on_value(A, &one, &iso));
  info = grid_concatenate_rows(t, A, grid_block_cols(A->nrows), grid_block_cols(A->ncols), iso, one);
done:
  grid_free(one);
  return info;
}

/* ---- in shared memory ---- */

/* Lays t's arrays out from `at` on; returns how many bytes they take. */
static size_t lay_out(grid_local_matrix *t, char *at, bool iso) {
  grid_compressed *c = &t->by_row;
  const size_t values = iso ? 0 : (t->nvals * t->type->size + 15) / 16 * 16;
  if (!at) return values + (t->row.n + 1 + t->nvals) * sizeof *c->ptr;
  c->val = iso ? NULL : at;
  c->ptr = (uint32_t *)(void *)(at + values);
  c->idx = c->ptr + t->row.n + 1;
  return 0;
}

/* Writes this process's rows p, which begin at entry `before`, and the offsets up to the next process's. */
static void write_rows(const grid_local_matrix *t, const grid_local_matrix *p, GrB_Matrix A,
                       uint64_t before) {
  const size_t size = t->type->size;
  const grid_compressed *c = &t->by_row;
  const uint64_t first = grid_chunk_first(A->nrows, grid_ctx.k), n = grid_chunk_length(A->nrows, grid_ctx.k),
                 end = grid_ctx.k + 1 == grid_ctx.P ? t->row.n - first : n;
  if (first == 0) c->ptr[0] = 0;
  for (uint64_t r = 0; r < end; r++)
    c->ptr[first + r + 1] = (uint32_t)(before + grid_vector_start(&p->by_row, r < n ? r + 1 : n));
  if (p->nvals) memcpy(c->idx + before, p->by_row.idx, p->nvals * sizeof *c->idx);
  if (!c->val || p->nvals == 0) return;
  if (p->iso)
    grid_value_fill((char *)c->val + before * size, p->iso_val, size, p->nvals);
  else
    memcpy((char *)c->val + before * size, p->by_row.val, p->nvals * size);
}

/* *before: the entries of the processes before this one. */
static GrB_Info count_before(uint64_t *before, GrB_Matrix A) {
  uint64_t *all = grid_malloc((size_t)grid_ctx.P, sizeof *all);
  GrB_Info info = all ? GrB_SUCCESS : grid_fail_memory(&A->head, "entries of blocks", (size_t)grid_ctx.P, 8);
  TRY(grid_agree(&A->head, info));
  TRY(grid_ctx.transport->allgather(GRID_SET_ALL, &A->block.nvals, sizeof *all, all));
  *before = 0;
  for (int k = 0; k < grid_ctx.k; k++) *before += all[k];
done:
  grid_free(all);
  return info;
}

GrB_Info grid_matrix_share_rows(grid_local_matrix *t, GrB_Matrix A, bool *shared) {
  const grid_transport *by = grid_ctx.transport;
  grid_expanded_lmat u = {0};
  char *one = NULL, *memory;
  uint64_t before;
  bool iso = false;
  GrB_Info info = GrB_SUCCESS;
  *shared = false;
  if (!by->shared_buffer || !grid_can_concatenate_rows(A) || !grid_matrix_has_short_axes(A)) return info;
  TRY(agree_on_value(A, &one, &iso));
  TRY(count_before(&before, A));
  grid_lmat_init(t, A->type, grid_block_cols(A->nrows), grid_block_cols(A->ncols));
  t->row.n = t->row.dim, t->col.n = t->col.dim, t->nvals = A->nvals;
  info = grid_lmat_expand_hyper(&u, &A->block, true);
  if (info == GrB_SUCCESS && iso) info = grid_lmat_set_iso(t, one);
  TRY(grid_agree(&A->head, info));
  memory = by->shared_buffer(GRID_SET_ALL, lay_out(t, NULL, iso));
  *shared = memory != NULL;
  if (!memory) goto done;
  lay_out(t, memory, iso);
  write_rows(t, &u.lmat, A, before);
  by->barrier(GRID_SET_ALL);
done:
  grid_expanded_lmat_free(&u);
  grid_free(one);
  if (!*shared && t->type) grid_lmat_free(t);
  return info;
}
