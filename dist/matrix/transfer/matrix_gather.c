/* See matrix_gather.h. On one process the block has all entries; on several, entries are sent with their
 * global coordinates, and the local matrix is built of what was received. */
#include "dist/matrix/transfer/matrix_gather.h"

#include "dist/matrix/storage/matrix_outofcore.h"

#include <string.h>

#include "dist/matrix/transfer/matrix_route.h"
#include "semiring/support/tuning.h"
#include "spmat/convert/lmat_format.h"
#include "spmat/cpu/matrix/lmat_tuples.h"

void grid_replicated_matrix_free(grid_replicated_matrix *w) {
  if (w->borrowed) w->made.by_row = (grid_compressed){0};
  if (w->made.type) grid_lmat_free(&w->made);
}

/* ---- entries that travel ------------------------------------------------------------------------------- */

typedef struct {
  void *keys; /* packed coordinates, or pairs where a dimension needs more than 32 bits */
  char *val;  /* NULL: no values are sent */
  uint64_t n;
} block_payload;

static void block_payload_free(block_payload *c) {
  grid_free(c->keys);
  grid_free(c->val);
  *c = (block_payload){0};
}

/* *c = the entries of A's block, with coordinates relative to (row, col). */
static GrB_Info load(block_payload *c, GrB_Matrix A, bool pairs, bool values) {
  const grid_local_matrix *p = &A->block;
  const grid_index_map rows = grid_block_row_map(A), cols = grid_block_col_map(A);
  uint64_t *row = grid_malloc(p->nvals, sizeof *row), *col = grid_malloc(p->nvals, sizeof *col);
  GrB_Info info = GrB_SUCCESS;
  c->n = p->nvals;
  c->keys = grid_malloc(p->nvals, pairs ? sizeof(grid_pair) : sizeof(uint64_t));
  c->val = values ? grid_malloc(p->nvals, p->type->size) : NULL;
  if (!row || !col || !c->keys || (values && !c->val))
    TRY(grid_fail_memory(&A->head, "matrix tuples", p->nvals, 32 + p->type->size));
  grid_lmat_to_tuples(row, col, c->val, p->type, p, &rows, &cols);
  grid_pair *pair = c->keys;
  uint64_t *key = c->keys;
  for (uint64_t k = 0; k < c->n; k++)
    if (pairs)
      pair[k] = (grid_pair){row[k], col[k]};
    else
      key[k] = row[k] << 32 | col[k];
done:
  grid_free(row);
  grid_free(col);
  return info;
}

static grid_pair pair_at(const block_payload *c, bool pairs, uint64_t k) {
  const uint64_t key = pairs ? 0 : ((const uint64_t *)c->keys)[k];
  return pairs ? ((const grid_pair *)c->keys)[k] : (grid_pair){key >> 32, key & UINT32_MAX};
}

/* Sorts c's entries by the owners of their rows (columns), numbered from the first that each owns. */
static GrB_Info sort_by_owner(block_payload *c, GrB_Matrix A, bool pairs, bool columns, uint64_t *count) {
  const size_t P = (size_t)grid_ctx.P, key_size = pairs ? sizeof(grid_pair) : sizeof(uint64_t);
  const size_t size = A->type->size;
  const uint64_t dim = columns ? A->ncols : A->nrows;
  block_payload to = {
      .keys = grid_malloc(c->n, key_size), .val = c->val ? grid_malloc(c->n, size) : NULL, .n = c->n};
  uint64_t *next = grid_calloc(P, sizeof *next);
  GrB_Info info = GrB_SUCCESS;
  if (!to.keys || (c->val && !to.val) || !next)
    TRY(grid_fail_memory(&A->head, "matrix tuples", c->n, key_size + size));
  for (uint64_t k = 0; k < c->n; k++) {
    const grid_pair at = pair_at(c, pairs, k);
    count[grid_chunk_of(dim, columns ? at.c : at.r)]++;
  }
  for (size_t r = 1; r < P; r++) next[r] = next[r - 1] + count[r - 1];
  for (uint64_t k = 0; k < c->n; k++) {
    grid_pair at = pair_at(c, pairs, k);
    uint64_t *index = columns ? &at.c : &at.r;
    const uint64_t position = next[grid_owner(dim, *index, index)]++;
    if (pairs)
      ((grid_pair *)to.keys)[position] = at;
    else
      ((uint64_t *)to.keys)[position] = at.r << 32 | at.c;
    if (c->val) memcpy(to.val + position * size, c->val + k * size, size);
  }
  block_payload_free(c);
  *c = to;
  to = (block_payload){0};
done:
  block_payload_free(&to);
  grid_free(next);
  return info;
}

/* Sends all entries to all processes, or count[r] entries to process r. */
static GrB_Info redistribute(block_payload *c, bool pairs, size_t size, const uint64_t *count) {
  const size_t key_size = pairs ? sizeof(grid_pair) : sizeof(uint64_t);
  block_payload in = {0};
  GrB_Info info = GrB_SUCCESS;
  in.n = c->n;
  if (count)
    TRY(grid_exchange_elements(c->keys, count, key_size, &in.keys, &in.n));
  else
    TRY(grid_gather_elements(c->keys, c->n, key_size, &in.keys));
  if (c->val && count) TRY(grid_exchange_elements(c->val, count, size, (void **)&in.val, &in.n));
  if (c->val && !count) TRY(grid_gather_elements(c->val, c->n, size, (void **)&in.val));
  block_payload_free(c);
  *c = in;
  in = (block_payload){0};
done:
  block_payload_free(&in);
  return info;
}

/* ---- the two forms ------------------------------------------------------------------------------------- */

static GrB_Info gather(grid_replicated_matrix *w, GrB_Matrix A, bool share, bool columns) {
  const bool pairs = !grid_index_fits32(A->nrows) || !grid_index_fits32(A->ncols);
  uint64_t *count = share ? grid_calloc((size_t)grid_ctx.P, sizeof *count) : NULL;
  const grid_local_matrix *p = &A->block;
  char *one = grid_calloc(1, A->type->size);
  block_payload c = {0};
  bool iso;
  grid_pair bad;
  GrB_Info info = GrB_SUCCESS;
  if (!one || (share && !count)) info = grid_fail_memory(&A->head, "a value", 1, A->type->size);
  if (one && p->iso) memcpy(one, p->iso_val, p->type->size);
  TRY(grid_agree_on_iso_value(&A->head, info, p->nvals > 0, p->iso, p->type->size, one, &iso));
  /* one process gathers only to make axis lists */
  if (!share && grid_ctx.P > 1 && grid_can_concatenate_rows(A)) {
    TRY(grid_concatenate_rows(&w->made, A, A->nrows, A->ncols, iso, one));
    info = grid_agree(&A->head, grid_lmat_choose_format(&w->made));
    goto done;
  }
  info = load(&c, A, pairs, !iso);
  if (info == GrB_SUCCESS && share) info = sort_by_owner(&c, A, pairs, columns, count);
  TRY(grid_agree(&A->head, info));
  TRY(redistribute(&c, pairs, A->type->size, count));
  /* a process may own nothing; a local matrix has rows and columns all the same */
  grid_lmat_init(&w->made, A->type, w->nrows ? w->nrows : 1, w->ncols ? w->ncols : 1);
  info = grid_lmat_build(&w->made, c.keys, pairs, share ? c.n : A->nvals, iso ? NULL : c.val, one,
                         (grid_duplicates){.newest_wins = true}, &bad);
  c.keys = NULL;
  info = grid_agree(&A->head, info);
done:
  block_payload_free(&c);
  grid_free(count);
  grid_free(one);
  return info;
}

/* A block that the device built has no axis lists even where it has few entries; a result made of it would be
 * as long as the matrix is wide. */
static bool needs_index_list(const grid_axis *a, uint64_t entries) {
  return !a->ids && grid_axis_is_hyper_for(a, entries, entries);
}
static bool lacks_lists(const grid_local_matrix *p) {
  return needs_index_list(&p->row, p->nvals) || needs_index_list(&p->col, p->nvals);
}

GrB_Info grid_matrix_replicate(grid_replicated_matrix *w, GrB_Matrix A, const char *call) {
  *w = (grid_replicated_matrix){.p = &A->block, .nrows = A->nrows, .ncols = A->ncols};
  GrB_Info info = grid_matrix_require_host(A, 0, call);
  if (info != GrB_SUCCESS || (grid_ctx.P == 1 && !lacks_lists(&A->block))) return info;
  w->p = &w->made;
  return gather(w, A, false, false);
}

/* Shared rows have no lists, which a matrix of so many entries needs in no dimension. */
static bool can_share(GrB_Matrix A) {
  return grid_ctx.P > 1 && !grid_device_is_on() && grid_can_share_rows(A) &&
         grid_axis_is_dense_for(A->nrows > A->ncols ? A->nrows : A->ncols, A->nvals);
}

GrB_Info grid_matrix_try_view(grid_replicated_matrix *w, GrB_Matrix A, bool values, const char *call) {
  *w = (grid_replicated_matrix){.p = &w->made, .nrows = A->nrows, .ncols = A->ncols};
  if (!can_share(A)) return GrB_SUCCESS;
  const GrB_Info info = grid_matrix_require_host(A, 0, call);
  return info != GrB_SUCCESS ? info
                             : grid_share_rows(&w->made, &A->block, A->nrows, A->ncols, values, &w->borrowed);
}

GrB_Info grid_matrix_view(grid_replicated_matrix *w, GrB_Matrix A, bool values, const char *call) {
  const GrB_Info info = grid_matrix_try_view(w, A, values, call);
  return info != GrB_SUCCESS || w->borrowed ? info : grid_matrix_replicate(w, A, call);
}

GrB_Info grid_matrix_share(grid_replicated_matrix *w, GrB_Matrix A, bool columns, const char *call) {
  *w = (grid_replicated_matrix){.p = &A->block, .nrows = A->nrows, .ncols = A->ncols};
  const GrB_Info assembled = grid_matrix_require(A, GRID_OUTOFCORE);
  if (assembled != GrB_SUCCESS) return assembled;
  GrB_Info info = grid_matrix_require_host(A, 0, call);
  if (info != GrB_SUCCESS || grid_ctx.P == 1) return info;
  w->p = &w->made;
  uint64_t *first = columns ? &w->col : &w->row, *n = columns ? &w->ncols : &w->nrows;
  const uint64_t dim = *n;
  *first = grid_chunk_first(dim, grid_ctx.k);
  *n = grid_chunk_length(dim, grid_ctx.k);
  if (!columns && grid_ctx.C == 1) { /* the block has exactly those rows */
    w->p = &A->block;
    return GrB_SUCCESS;
  }
  bool routed = false;
  if (!columns) info = grid_route_rows_to_owners(A, &w->made, &routed);
  return info != GrB_SUCCESS || routed ? info : gather(w, A, true, columns);
}
