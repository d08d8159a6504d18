/* All rows of a matrix on every process of a grid of one column (matrix_gather.h): blocks are intervals of
 * rows, which are concatenated in each process's memory. */
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
  const GrB_Info info = *one ? GrB_SUCCESS : grid_fail_memory(&A->head, "a value", 1, size);
  if (*one && p->iso && p->iso_val) memcpy(*one, p->iso_val, size);
  return grid_agree_on_iso_value(&A->head, info, p->nvals > 0, p->iso, size, *one, iso);
}

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
  char *expanded = !iso && p->iso ? grid_malloc(p->nvals, size) : NULL;
  uint64_t *lengths = grid_malloc(2 * (size_t)grid_ctx.P, sizeof *lengths),
           *entries = lengths ? lengths + grid_ctx.P : NULL;
  if (info == GrB_SUCCESS &&
      (!c->ptr || !c->idx || (!iso && !c->val) || (!iso && p->iso && !expanded) || !lengths))
    info = grid_fail_memory(&A->head, "a whole matrix", A->nvals, sizeof *c->idx + size);
  if (info == GrB_SUCCESS && iso) info = grid_lmat_set_iso(made, one);
  const bool is_ready = lengths && c->ptr && info == GrB_SUCCESS;
  TRY(grid_agree_gather(&A->head, info, &p->nvals, sizeof *entries, entries));
  if (!is_ready) goto done; /* a failure, which was agreed on */
  if (expanded) grid_value_fill(expanded, p->iso_val, size, p->nvals);
  for (int k = 0; k < grid_ctx.P; k++) lengths[k] = grid_chunk_length(A->nrows, k);
  TRY(grid_gather_known(p->by_row.ptr + 1, lengths, sizeof *c->ptr, c->ptr + 1));
  TRY(grid_gather_known(p->by_row.idx, entries, sizeof *c->idx, c->idx));
  if (!iso) TRY(grid_gather_known(expanded ? expanded : p->by_row.val, entries, size, c->val));
  concatenate_offsets(c->ptr, A->nrows);
  for (uint64_t r = A->nrows; r < rows; r++) c->ptr[r + 1] = c->ptr[r];
done:
  grid_expanded_lmat_free(&u);
  grid_free(expanded);
  grid_free(lengths);
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
