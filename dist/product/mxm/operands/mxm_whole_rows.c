/* See mxm_whole_rows.h. On one machine they are copied from all rows in shared memory. Else the processes of
 * a grid row have the segments of the same rows and concatenate them. Those of B that are in a process's own
 * chunk then go to the other processes of its grid column, whose chunks are the columns of its block of C. */
#include "dist/product/mxm/operands/mxm_whole_rows.h"

#include <string.h>

#include "dist/matrix/transfer/matrix_gather.h"
#include "dist/product/mxm/operands/mxm_segments.h"
#include "semiring/support/tuning.h"

static bool fits(GrB_Matrix M) {
  return grid_matrix_has_short_axes(M) && M->nvals < grid_tune.offsets64_from;
}

bool grid_mxm_can_gather_rows(const grid_mxm_call *x) {
  const GrB_Matrix A = x->A, B = x->B;
  const uint64_t bytes = A->nvals * (A->type->size + sizeof(uint32_t)) / (uint64_t)grid_ctx.R +
                         B->nvals * (B->type->size + sizeof(uint32_t)) / (uint64_t)grid_ctx.C;
  return A->nvals && B->nvals && fits(A) && fits(B) && bytes <= grid_tune.stage_bytes;
}

/* m, empty, gets rows x cols and room for entries of this type; one: the value of all, or NULL. */
static GrB_Info make_rows(grid_local_matrix *m, GrB_Type type, uint64_t rows, uint64_t cols, uint64_t entries,
                          const void *one) {
  grid_compressed *c = &m->by_row;
  grid_lmat_init(m, type, rows, cols);
  m->row.n = rows, m->col.n = cols, m->nvals = entries;
  c->ptr = grid_calloc(rows + 1, sizeof *c->ptr);
  c->idx = grid_malloc(entries, sizeof *c->idx);
  if (!one) c->val = grid_malloc(entries, type->size);
  if (!c->ptr || !c->idx || (!one && !c->val))
    return grid_fail_memory(NULL, "rows of a factor", entries, type->size + sizeof *c->idx);
  return one ? grid_lmat_set_iso(m, one) : GrB_SUCCESS;
}

/* Makes offsets of the numbers of entries at ptr[1 + row]. */
static void add_up(uint32_t *ptr, uint64_t rows) {
  for (uint64_t r = 0; r < rows; r++) ptr[r + 1] += ptr[r];
}

/* m = the panel, whose rows have the local ids of `rows`. Where values are not used, all are one. Local. */
static GrB_Info rows_of_panel(grid_local_matrix *m, GrB_Matrix M, const grid_panel *p,
                              const grid_axis *rows) {
  const size_t size = M->type->size;
  const uint64_t entries = rows->n ? p->v.to64[rows->n - 1] : 0;
  const char *val = p->v.val;
  void *none = NULL;
  const void *one = !val || entries == 0 ? (none = grid_calloc(1, size)) : p->v.val_and ? NULL : val;
  GrB_Info info = (val && entries) || none ? GrB_SUCCESS : grid_fail_memory(NULL, "a value", 1, size);
  TRY(info);
  TRY(make_rows(m, M->type, M->block.row.dim, M->ncols, entries, one));
  for (uint64_t r = 0; r < rows->n; r++)
    m->by_row.ptr[grid_axis_id(rows, r) + 1] = (uint32_t)(p->v.to64[r] - p->v.from64[r]);
  add_up(m->by_row.ptr, m->row.n);
  for (uint64_t e = 0; e < entries; e++) m->by_row.idx[e] = (uint32_t)p->global_index[p->v.idx[e]];
  if (!one) memcpy(m->by_row.val, val, entries * size);
done:
  grid_free(none);
  return info;
}

/* m = the rows of M's block, whole. Collective, agreed on. */
static GrB_Info gather_block_rows(grid_local_matrix *m, GrB_Matrix M, bool values) {
  const grid_rows x = grid_rows_of(&M->block, false, values);
  grid_numbering rows = {0};
  grid_panel p = {0};
  GrB_Info info;
  TRY(grid_number(GRID_SET_ROW, x.row, GrB_SUCCESS, &rows));
  TRY(grid_panel_columns(&x, M->ncols, 0, (uint64_t)grid_ctx.P, &rows, &p));
  info = rows_of_panel(m, M, &p, &rows.axis);
done:
  grid_panel_free(&p);
  grid_numbering_free(&rows);
  return grid_agree(NULL, info);
}

/* Row k of the segment of process i of this grid column, as a column of C's block. */
static uint64_t column_of_row(const grid_segment *q, GrB_Matrix B, int i, uint64_t k) {
  const uint64_t n = B->nrows;
  return grid_block_offset(n, false, i) + q->name[k] - grid_chunk_offset(n, true, grid_block_chunk(false, i));
}

static GrB_Info concatenate(grid_local_matrix *m, GrB_Matrix B, const grid_segments *x, uint64_t columns) {
  const size_t size = B->type->size;
  uint64_t at = 0;
  char *one = grid_calloc(1, size);
  GrB_Info info = one ? GrB_SUCCESS : grid_fail_memory(NULL, "a value", 1, size);
  TRY(info);
  if (x->one) memcpy(one, x->one, size);
  TRY(make_rows(m, B->type, columns, B->ncols, x->entries, x->iso || !x->entries ? one : NULL));
  for (int i = 0; i < x->n; i++) {
    const grid_segment *q = &x->p[i];
    for (uint64_t k = 0; k < q->h.rows; k++) m->by_row.ptr[column_of_row(q, B, i, k) + 1] = q->count[k];
    if (q->h.entries) memcpy(m->by_row.idx + at, q->idx, q->h.entries * sizeof *q->idx);
    char *val = m->iso ? NULL : (char *)m->by_row.val + at * size;
    if (val && q->h.iso)
      grid_value_fill(val, q->val, size, q->h.entries);
    else if (val && q->h.entries)
      memcpy(val, q->val, q->h.entries * size);
    at += q->h.entries;
  }
  add_up(m->by_row.ptr, columns);
done:
  grid_free(one);
  return info;
}

/* m = B's rows that are columns of C's block, from `whole`, the rows of B's block. Collective, agreed on. */
static GrB_Info gather_columns(grid_local_matrix *m, GrB_Matrix B, const grid_local_matrix *whole,
                               uint64_t columns) {
  const grid_rows x = grid_rows_of(whole, false, true);
  const uint64_t first = grid_chunk_offset(B->nrows, true, grid_ctx.k);
  const grid_slice local = {&x, first,        first + grid_chunk_length(B->nrows, grid_ctx.k),
                            0,  whole->col.n, false};
  grid_segments got = {0};
  GrB_Info info = grid_gather_segments(GRID_SET_COL, &local, GrB_SUCCESS, &got);
  if (info == GrB_SUCCESS) info = grid_agree(NULL, concatenate(m, B, &got, columns));
  grid_segments_free(&got);
  return info;
}

/* ---- from shared memory ---- */

/* m = those of all rows that are this block's rows, or its columns, of which it has `length`. */
static GrB_Info copy_rows(grid_local_matrix *m, const grid_local_matrix *all, bool rows, uint64_t length) {
  const grid_compressed *c = &all->by_row;
  const uint64_t n = all->row.n, size = all->type->size;
  const int chunks = grid_block_chunks(rows);
  uint64_t entries = 0, at = 0;
  GrB_Info info;
  for (int s = 0; s < chunks; s++)
    entries += c->ptr[grid_chunk_first(n, grid_block_chunk(rows, s) + 1)] -
               c->ptr[grid_chunk_first(n, grid_block_chunk(rows, s))];
  TRY(make_rows(m, all->type, length, all->col.n, entries, all->iso ? all->iso_val : NULL));
  for (int s = 0; s < chunks; s++) {
    const int chunk = grid_block_chunk(rows, s);
    const uint64_t first = grid_chunk_first(n, chunk), end = grid_chunk_first(n, chunk + 1);
    const uint32_t from = c->ptr[first], count = c->ptr[end] - from;
    uint32_t *lengths = m->by_row.ptr + grid_block_offset(n, rows, s) + 1;
    for (uint64_t r = first; r < end; r++) lengths[r - first] = c->ptr[r + 1] - c->ptr[r];
    memcpy(m->by_row.idx + at, c->idx + from, count * sizeof *c->idx);
    if (c->val) memcpy((char *)m->by_row.val + at * size, (const char *)c->val + from * size, count * size);
    at += count;
  }
  add_up(m->by_row.ptr, length);
done:
  return info;
}

/* *shared: false, the same on all processes, if there is too little shared memory. Collective, agreed on. */
static GrB_Info share_rows(const grid_mxm_call *x, grid_local_matrix *a, grid_local_matrix *b, bool *shared) {
  const GrB_BinaryOp mul = x->s->mul;
  const bool same = x->A == x->B;
  const GrB_Matrix A = x->A, B = x->B;
  grid_local_matrix all_a = {0}, all_b = {0};
  GrB_Info info;
  TRY(grid_share_rows(&all_a, &A->block, A->nrows, A->ncols, mul->uses_x || (same && mul->uses_y), shared));
  if (*shared && !same) TRY(grid_share_rows(&all_b, &B->block, B->nrows, B->ncols, mul->uses_y, shared));
  if (!*shared) goto done;
  info = copy_rows(a, &all_a, true, x->C->block.row.dim);
  if (info == GrB_SUCCESS) info = copy_rows(b, same ? &all_a : &all_b, false, x->C->block.col.dim);
  info = grid_agree(NULL, info);
done:
  all_a.by_row = all_b.by_row = (grid_compressed){0};
  if (all_a.type) grid_lmat_free(&all_a);
  if (all_b.type) grid_lmat_free(&all_b);
  return info;
}

GrB_Info grid_mxm_gather_rows(const grid_mxm_call *x, grid_mxm_operand *a, grid_mxm_operand *b) {
  const GrB_BinaryOp mul = x->s->mul;
  const bool same = x->A == x->B;
  grid_local_matrix whole = {0};
  bool shared = false;
  GrB_Info info;
  if (!grid_device_is_on() && grid_can_share_rows(x->A) && grid_can_share_rows(x->B))
    TRY(share_rows(x, &a->owned, &b->owned, &shared));
  if (!shared) {
    TRY(gather_block_rows(&a->owned, x->A, mul->uses_x || (same && mul->uses_y)));
    if (!same) TRY(gather_block_rows(&whole, x->B, mul->uses_y));
    TRY(gather_columns(&b->owned, x->B, same ? &a->owned : &whole, x->C->block.col.dim));
  }
  a->lmat = &a->owned, a->columns = false;
  b->lmat = &b->owned, b->columns = true;
done:
  if (whole.type) grid_lmat_free(&whole);
  return info;
}
