/* See row_col_vector.h. */
#include "dist/op/submatrix/row_col_vector.h"

#include <string.h>

#include "dist/matrix/storage/matrix_bitmap.h"
#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/matrix/transfer/matrix_route.h"
#include "dist/op/submatrix/row_col_vector_device.h"
#include "dist/op/submatrix/matrix_index_lists.h"
#include "spmat/device/device.h"
#include "spmat/lmat_ops.h"

/* ---- reading ---- */

typedef struct {
  uint64_t n;
  uint64_t *idx; /* in the matrix */
  char *val;
} entries;

static void entries_free(entries *e) {
  grid_free(e->idx);
  grid_free(e->val);
}

/* A line of A, whose other ends are numbered 0 .. length - 1 in this process's block. */
typedef struct {
  GrB_Matrix A;
  bool row;
  uint64_t v;
} matrix_vector;

/* Is it one that this process's block has a segment of? */
static bool is_local(const matrix_vector *l) {
  return l->row ? grid_chunk_of(l->A->nrows, l->v) % grid_ctx.R == grid_ctx.i
                : grid_chunk_of(l->A->ncols, l->v) / grid_ctx.R == grid_ctx.j;
}

static uint64_t pending_last(const matrix_vector *l, uint64_t other) {
  const grid_pending *p = &l->A->pending;
  if (p->n == 0) return 0;
  return l->row ? grid_pending_last(p, l->v, other) : grid_pending_last(p, other, l->v);
}

/* The block's entry at `other`, unless a change of it waits. */
static void append_entry(entries *e, const matrix_vector *l, uint64_t other, const void *val) {
  const size_t size = l->A->type->size;
  if (pending_last(l, other)) return;
  memcpy(e->val + e->n * size, val, size);
  e->idx[e->n++] = other;
}

/* Number k of the changes that wait, if it belongs to the line, is the last of its place, and in this
 * process's block. */
static bool is_change(const matrix_vector *l, uint64_t k) {
  const grid_pending *p = &l->A->pending;
  return (l->row ? p->row[k] : p->col[k]) == l->v && grid_pending_last(p, p->row[k], p->col[k]) == k + 1 &&
         grid_block_of(l->A->nrows, l->A->ncols, p->row[k], p->col[k]) == grid_ctx.k;
}

/* Room for so many, and for the changes that wait, which are put in. */
static GrB_Info begin(entries *e, const matrix_vector *l, uint64_t capacity) {
  const grid_pending *p = &l->A->pending;
  const size_t size = l->A->type->size;
  for (uint64_t k = 0; k < p->n; k++) capacity += is_change(l, k);
  *e = (entries){.idx = grid_malloc(capacity, sizeof *e->idx), .val = grid_malloc(capacity, size)};
  if (!e->idx || !e->val) return grid_fail_memory(NULL, "entries of a row or column", capacity, 8 + size);
  for (uint64_t k = 0; k < p->n; k++) {
    if (!is_change(l, k) || p->removed[k]) continue;
    memcpy(e->val + e->n * size, p->val + k * size, size);
    e->idx[e->n++] = l->row ? p->col[k] : p->row[k];
  }
  return GrB_SUCCESS;
}

/* Of a block by place. */
static GrB_Info dense_entries(entries *e, const matrix_vector *l) {
  const GrB_Matrix A = l->A;
  const uint64_t dim = l->row ? A->ncols : A->nrows, n = is_local(l) ? grid_block_length(dim, !l->row) : 0;
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
static GrB_Info vector_entries(entries *e, const matrix_vector *l, const grid_compressed *c, uint64_t v,
                               const grid_index_map *others) {
  const grid_local_matrix *p = &l->A->block;
  const uint64_t from = v == UINT64_MAX ? 0 : grid_vector_start(c, v),
                 to = v == UINT64_MAX ? 0 : grid_vector_start(c, v + 1);
  GrB_Info info = begin(e, l, to - from);
  for (uint64_t k = from; info == GrB_SUCCESS && k < to; k++)
    append_entry(e, l, grid_index_map_at(others, c->idx[k]),
                 p->iso ? p->iso_val : (const char *)c->val + k * p->type->size);
  return info;
}

/* Column c, looked up in every row. */
static GrB_Info search_rows(entries *e, const matrix_vector *l, uint64_t c, const grid_index_map *rows) {
  const grid_local_matrix *p = &l->A->block;
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
  entries *e;
  const matrix_vector *l;
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

static GrB_Info paged_entries(entries *e, const matrix_vector *l) {
  grid_pages *g = l->A->pages;
  const uint64_t v = l->row ? grid_local_row(l->A->nrows, l->v) : grid_local_col(l->A->ncols, l->v);
  const bool mine = is_local(l) && (!l->row || v < g->rows);
  paged_vector x = {e, l, v};
  GrB_Info info = begin(e, l, !mine ? 0 : l->row ? grid_pages_lengths(g)[v] : g->rows);
  if (info != GrB_SUCCESS || !mine) return info;
  return grid_pages_stream_rows(g, l->row ? v : 0, l->row ? v + 1 : g->rows, append_paged, &x);
}

/* This process's entries of the line. */
static GrB_Info local_entries(entries *e, const matrix_vector *l) {
  const GrB_Matrix A = l->A;
  if (A->pages) return paged_entries(e, l);
  const grid_local_matrix *p = &A->block;
  const grid_index_map rows = grid_block_row_map(A), cols = grid_block_col_map(A);
  if (A->bitmap.only) return dense_entries(e, l);
  const uint64_t v = !is_local(l) ? UINT64_MAX
                     : l->row     ? grid_axis_find(&p->row, grid_local_row(A->nrows, l->v))
                                  : grid_axis_find(&p->col, grid_local_col(A->ncols, l->v));
  if (l->row) return vector_entries(e, l, &p->by_row, v, &cols);
  return grid_compressed_is_built(&p->by_col) ? vector_entries(e, l, &p->by_col, v, &rows)
                                              : search_rows(e, l, v, &rows);
}

/* May lines be read where they are? Looking through what waits must not come to cost more than merging it.
 * The same on all processes. */
static bool can_read_unmerged(GrB_Matrix A) {
  const uint64_t n = A->pending.n;
  if (A->pages) return true; /* no more wait than fit */
  return A->nvals && !A->delegates.split && !A->placement.on_device && !grid_device_is_on() &&
         n * n / 64 <= A->nvals;
}

/* The changes that wait can be looked up. Collective, agreed on. */
static GrB_Info index_changes(GrB_Matrix A) {
  bool waits;
  const void *v;
  return grid_pending_find(&A->pending, &A->head, A->type->size, 0, 0, &waits, &v);
}

GrB_Info grid_matrix_get_vector(GrB_Vector *u, GrB_Matrix A, bool row, uint64_t v, const char *call) {
  const uint64_t n = row ? A->ncols : A->nrows;
  const matrix_vector l = {A, row, v};
  entries e = {0};
  grid_routed_entries in = {0};
  uint64_t where;
  GrB_Info info = GrB_SUCCESS;
  *u = NULL;
  if (grid_device_is_on()) {
    TRY(grid_matrix_require(A, GRID_WHOLE));
    TRY(grid_agree(&A->head, grid_vector_alloc(u, A->type, n)));
    info = grid_matrix_get_vector_device(*u, A, row, v);
    if (info != GRID_UNSUPPORTED) goto done;
    grid_vector_release(*u);
    *u = NULL;
  }
  if (can_read_unmerged(A))
    TRY(index_changes(A));
  else
    TRY(grid_matrix_require_host(A, 0, call));
  info = grid_vector_alloc(u, A->type, n);
  if (info == GrB_SUCCESS) info = local_entries(&e, &l);
  if (grid_ctx.C == 1 && !row) { /* a process's rows are a chunk */
    for (uint64_t k = 0; info == GrB_SUCCESS && k < e.n; k++) e.idx[k] -= grid_chunk_first(n, grid_ctx.k);
    in = (grid_routed_entries){.idx = e.idx, .val = e.val, .n = e.n};
    e = (entries){0};
  } else {
    TRY(grid_route(&in, e.n, e.idx, e.val, 1, A->type->size, n, info));
  }
  if (info == GrB_SUCCESS)
    info = grid_vec_build(&(*u)->chunk, in.idx, in.val, A->type, 1, in.n, (grid_dup){.last = true}, &where);
  info = grid_agree(&A->head, info);
done:
  entries_free(&e);
  grid_routed_entries_free(&in);
  if (info != GrB_SUCCESS && *u) {
    grid_vector_release(*u);
    *u = NULL;
  }
  return info;
}

/* ---- writing ---- */

GrB_Info grid_vector_entries_of(grid_vector_entries *x, GrB_Vector u) {
  GrB_Info info = grid_vector_count(&x->n, u);
  if (info != GrB_SUCCESS) return info;
  x->idx = grid_malloc(x->n, sizeof *x->idx);
  x->val = grid_malloc(x->n, u->type->size);
  if (!x->idx || !x->val)
    info = grid_fail_memory(&u->head, "entries of a row or column", x->n, 8 + u->type->size);
  TRY(grid_agree(&u->head, info));
  TRY(grid_vector_tuples(x->idx, x->val, u->type, u));
done:
  return info;
}

void grid_vector_entries_free(grid_vector_entries *x) {
  grid_free(x->idx);
  grid_free(x->val);
}

/* *t = a part like C's block with w's entries in the line, by way of tuples. */
static GrB_Info vector_to_lmat(grid_local_matrix *t, GrB_Matrix C, GrB_Vector w, bool row, uint64_t v,
                               const char *call) {
  const uint64_t n = w->chunk.nvals;
  grid_tuples x = {0};
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_matrix_require_host(C, 0, call));
  x = (grid_tuples){.n = n,
                    .row = grid_malloc(n, sizeof *x.row),
                    .col = grid_malloc(n, sizeof *x.col),
                    .val = grid_malloc(n, C->type->size)};
  if (!x.row || !x.col || !x.val)
    info = grid_fail_memory(&C->head, "entries of a row or column", n, 16 + C->type->size);
  if (info == GrB_SUCCESS)
    info =
        grid_vec_tuples(row ? x.col : x.row, x.val, C->type, &w->chunk, grid_chunk_first(w->n, grid_ctx.k));
  for (uint64_t k = 0; info == GrB_SUCCESS && k < n; k++) (row ? x.row : x.col)[k] = v;
  info = grid_route_tuples(C, &x, C->type, NULL, info, t, call);
done:
  return info;
}

/* The line becomes w at once: a new block. w is spent. */
static GrB_Info rewrite(GrB_Matrix C, GrB_Vector w, bool row, uint64_t v, const char *call) {
  const uint64_t dim = row ? C->nrows : C->ncols;
  const matrix_vector l = {C, row, v};
  const grid_index_set self = {.first = row ? grid_local_row(dim, v) : grid_local_col(dim, v),
                               .n = is_local(&l)},
                       all = {.n = row ? grid_block_length(C->ncols, false)
                                       : grid_block_length(C->nrows, true)};
  const grid_region region = {row ? self : all, row ? all : self};
  grid_local_matrix t = {0}, z = {0};
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_matrix_require(C, GRID_WHOLE));
  info = grid_device_is_on() ? grid_vector_to_lmat_device(&t, C, w, row, v) : GRID_UNSUPPORTED;
  if (info == GRID_UNSUPPORTED) info = vector_to_lmat(&t, C, w, row, v, call);
  TRY(info);
  grid_lmat_init(&z, C->type, C->block.row.dim, C->block.col.dim);
  info = grid_lmat_assign(&z, &C->block, &t, &region);
  info = grid_matrix_adopt(C, &(grid_build){0}, &z, info);
done:
  grid_lmat_free(&t);
  grid_lmat_free(&z);
  return info;
}

/* Entry `other` of the line becomes x, or goes; there is room for it. */
static void pend_change(const matrix_vector *l, const void *x, uint64_t other) {
  GrB_Matrix C = l->A;
  grid_pending_add(&C->pending, &C->head, C->type, x, C->type, l->row ? l->v : other, l->row ? other : l->v);
}

/* What differs waits. Both ascend. */
static void pend_changes(const matrix_vector *l, const grid_vector_entries *before,
                         const grid_vector_entries *after) {
  const size_t size = l->A->type->size;
  uint64_t b = 0, a = 0;
  while (b < before->n || a < after->n) {
    const uint64_t i = b < before->n ? before->idx[b] : UINT64_MAX,
                   j = a < after->n ? after->idx[a] : UINT64_MAX;
    const char *x = after->val + a * size;
    if (i < j)
      pend_change(l, NULL, i);
    else if (j < i || memcmp(before->val + b * size, x, size) != 0)
      pend_change(l, x, j);
    b += i <= j, a += j <= i;
  }
}

GrB_Info grid_matrix_set_vector(GrB_Matrix C, const grid_vector_entries *before, GrB_Vector w, bool row,
                                uint64_t v, const char *call) {
  const matrix_vector l = {C, row, v};
  grid_vector_entries after = {0};
  uint64_t n;
  GrB_Info info = grid_vector_count(&n, w);
  if (info != GrB_SUCCESS) return info;
  if (C->delegates.split || grid_device_is_on() || (!C->pages && (n + before->n) / 2 > C->nvals / 16 + 256))
    return rewrite(C, w, row, v, call);
  TRY(grid_vector_entries_of(&after, w));
  TRY(grid_pending_reserve(&C->pending, &C->head, C->type->size, before->n + n));
  pend_changes(&l, before, &after);
done:
  grid_vector_entries_free(&after);
  return info;
}
