/* See row_col_entries.h. */
#include "dist/op/submatrix/row_col_entries.h"

#include <string.h>

#include "dist/matrix/storage/matrix_bitmap.h"
#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/matrix/transfer/matrix_route.h"
#include "spmat/lmat_ops.h"

void grid_row_col_entries_free(grid_row_col_entries *e) {
  grid_free(e->idx);
  grid_free(e->val);
}

bool grid_row_col_is_local(const grid_row_col *l) {
  return l->row ? grid_chunk_of(l->A->nrows, l->v) % grid_ctx.R == grid_ctx.i
                : grid_chunk_of(l->A->ncols, l->v) / grid_ctx.R == grid_ctx.j;
}

static uint64_t pending_last(const grid_row_col *l, uint64_t other) {
  const grid_pending *p = &l->A->pending;
  if (p->n == 0) return 0;
  return l->row ? grid_pending_last(p, l->v, other) : grid_pending_last(p, other, l->v);
}

/* The block's entry at `other`, unless a change of it waits. */
static void append_entry(grid_row_col_entries *e, const grid_row_col *l, uint64_t other, const void *val) {
  const size_t size = l->A->type->size;
  if (pending_last(l, other)) return;
  memcpy(e->val + e->n * size, val, size);
  e->idx[e->n++] = other;
}

/* Number k of the changes that wait, if it belongs to the line, is the last of its place, and in this
 * process's block. */
static bool is_change(const grid_row_col *l, uint64_t k) {
  const grid_pending *p = &l->A->pending;
  return (l->row ? grid_pending_row(p, k) : grid_pending_col(p, k)) == l->v &&
         grid_pending_last(p, grid_pending_row(p, k), grid_pending_col(p, k)) == k + 1 &&
         grid_block_of(l->A->nrows, l->A->ncols, grid_pending_row(p, k), grid_pending_col(p, k)) ==
             grid_ctx.k;
}

/* Room for so many, and for all changes that wait, of which the line's are put in. */
static GrB_Info begin(grid_row_col_entries *e, const grid_row_col *l, uint64_t capacity) {
  const grid_pending *p = &l->A->pending;
  const size_t size = l->A->type->size;
  capacity += p->n;
  *e = (grid_row_col_entries){.idx = grid_malloc(capacity, sizeof *e->idx),
                              .val = grid_malloc(capacity, size)};
  if (!e->idx || !e->val) return grid_fail_memory(NULL, "entries of a row or column", capacity, 8 + size);
  for (uint64_t k = 0; k < p->n; k++) {
    if (!is_change(l, k) || p->removed[k]) continue;
    memcpy(e->val + e->n * size, p->val + k * size, size);
    e->idx[e->n++] = l->row ? grid_pending_col(p, k) : grid_pending_row(p, k);
  }
  return GrB_SUCCESS;
}

/* Of a block by place. */
static GrB_Info dense_entries(grid_row_col_entries *e, const grid_row_col *l) {
  const GrB_Matrix A = l->A;
  const uint64_t dim = l->row ? A->ncols : A->nrows,
                 n = grid_row_col_is_local(l) ? grid_block_length(dim, !l->row) : 0;
  GrB_Info info = begin(e, l, n);
  for (uint64_t k = 0; info == GrB_SUCCESS && k < n; k++) {
    const uint64_t other = l->row ? grid_global_col(dim, k) : grid_global_row(dim, k);
    const void *val =
        other < dim ? grid_dense_find_value(A, l->row ? l->v : other, l->row ? other : l->v) : NULL;
    if (val) append_entry(e, l, other, val);
  }
  return info;
}

/* Vector v (compact, or UINT64_MAX: none) of an orientation. */
static GrB_Info vector_entries(grid_row_col_entries *e, const grid_row_col *l, const grid_compressed *c,
                               uint64_t v, const grid_index_map *others) {
  const grid_local_matrix *p = l->block;
  const uint64_t from = v == UINT64_MAX ? 0 : grid_vector_start(c, v),
                 to = v == UINT64_MAX ? 0 : grid_vector_start(c, v + 1);
  GrB_Info info = begin(e, l, to - from);
  for (uint64_t k = from; info == GrB_SUCCESS && k < to; k++)
    append_entry(e, l, grid_index_map_at(others, c->idx[k]),
                 p->iso ? p->iso_val : (const char *)c->val + k * p->type->size);
  return info;
}

/* Column c, looked up in every row. */
static GrB_Info search_rows(grid_row_col_entries *e, const grid_row_col *l, uint64_t c,
                            const grid_index_map *rows) {
  const grid_local_matrix *p = l->block;
  const int64_t n = c == UINT64_MAX ? 0 : (int64_t)p->row.n;
  uint32_t *bits = grid_calloc((size_t)n / 32 + 1, sizeof *bits);
  uint64_t count = 0;
  if (!bits) return grid_fail_memory(NULL, "entries of a column", (uint64_t)n / 32 + 1, sizeof *bits);
#pragma omp parallel for schedule(static) reduction(+ : count) if (n > 1 << 12)
  for (int64_t w = 0; w <= n / 32; w++)
    for (int64_t r = 32 * w; r < n && r < 32 * w + 32; r++)
      if (grid_lmat_find(p, (uint64_t)r, c) != UINT64_MAX) bits[w] |= (uint32_t)1 << (r & 31), count++;
  GrB_Info info = begin(e, l, count);
  for (int64_t w = 0; info == GrB_SUCCESS && w <= n / 32; w++)
    for (uint32_t s = bits[w]; s; s &= s - 1) {
      const uint64_t r = 32 * (uint64_t)w + (uint64_t)__builtin_ctz(s);
      append_entry(e, l, grid_index_map_at(rows, r), grid_lmat_value(p, grid_lmat_find(p, r, c)));
    }
  grid_free(bits);
  return info;
}

/* Of rows that are on disk. */
typedef struct {
  grid_row_col_entries *e;
  const grid_row_col *l;
  uint64_t v; /* the line's number in the block */
} paged_vector;

static GrB_Info append_paged(void *context, const grid_local_matrix *rows, uint64_t first) {
  const paged_vector *x = context;
  const grid_compressed *c = &rows->by_row;
  const GrB_Matrix A = x->l->A;
  for (uint64_t r = 0; r < rows->row.n; r++) {
    uint64_t a = c->ptr[r], b = c->ptr[r + 1];
    if (a == b || (x->l->row && first + r != x->v)) continue;
    if (!x->l->row) {
      a = grid_first_entry(c->idx, a, b, x->v);
      b = a < b && c->idx[a] == x->v ? a + 1 : a;
    }
    for (uint64_t k = a; k < b; k++)
      append_entry(x->e, x->l,
                   x->l->row ? grid_global_col(A->ncols, c->idx[k]) : grid_global_row(A->nrows, first + r),
                   grid_lmat_value(rows, k));
  }
  return GrB_SUCCESS;
}

static GrB_Info paged_entries(grid_row_col_entries *e, const grid_row_col *l) {
  grid_pages *g = l->A->pages;
  const uint64_t v = l->row ? grid_local_row(l->A->nrows, l->v) : grid_local_col(l->A->ncols, l->v);
  const bool is_local = grid_row_col_is_local(l) && (!l->row || v < g->rows);
  paged_vector x = {e, l, v};
  GrB_Info info = begin(e, l, !is_local ? 0 : l->row ? grid_pages_lengths(g)[v] : g->rows);
  if (info != GrB_SUCCESS || !is_local) return info;
  return grid_pages_stream_rows(g, l->row ? v : 0, l->row ? v + 1 : g->rows, append_paged, &x);
}

GrB_Info grid_row_col_local_entries(grid_row_col_entries *e, const grid_row_col *l) {
  const GrB_Matrix A = l->A;
  if (A->pages) return paged_entries(e, l);
  const grid_local_matrix *p = l->block;
  grid_index_map rows = grid_block_row_map(A), cols = grid_block_col_map(A);
  rows.axis = &p->row, cols.axis = &p->col;
  if (A->bitmap.only) return dense_entries(e, l);
  const uint64_t v = !grid_row_col_is_local(l) ? UINT64_MAX
                     : l->row                  ? grid_axis_find(&p->row, grid_local_row(A->nrows, l->v))
                                               : grid_axis_find(&p->col, grid_local_col(A->ncols, l->v));
  if (l->row) return vector_entries(e, l, &p->by_row, v, &cols);
  return grid_compressed_is_built(&p->by_col) ? vector_entries(e, l, &p->by_col, v, &rows)
                                              : search_rows(e, l, v, &rows);
}
