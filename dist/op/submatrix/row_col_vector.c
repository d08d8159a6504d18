/* See row_col_vector.h. */
#include "dist/op/submatrix/row_col_vector.h"

#include <stddef.h>
#include <string.h>

#include "dist/grid/short_call.h"
#include "dist/matrix/matrix_output.h"
#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/matrix/transfer/matrix_route.h"
#include "dist/op/submatrix/row_col_entries.h"
#include "dist/op/submatrix/row_col_host_copy.h"
#include "dist/op/submatrix/row_col_vector_device.h"
#include "spmat/device/device.h"
#include "spmat/lmat_ops.h"

/* ---- reading ---- */

/* May lines be read where they are? Looking through what waits must not come to cost more than merging it.
 * The same on all processes. */
static bool can_read_unmerged(GrB_Matrix A) {
  const uint64_t n = A->pending.n;
  if (A->pages) return !grid_is_paged_hypersparse(A); /* no more wait than fit */
  return A->nvals && !A->delegates.split && !A->placement.on_device && !grid_device_is_on() &&
         n * n / 64 <= A->nvals;
}

/* The changes that wait can be looked up. Collective, agreed on. */
static GrB_Info index_changes(GrB_Matrix A) {
  bool waits;
  const void *v;
  return grid_pending_find(&A->pending, &A->head, A->type->size, 0, 0, &waits, &v);
}

/* A short row of a grid of one column, which one process has: the first entries come with their number,
 * others follow. */
enum { FIRST_BYTES = 1008, ROW_BYTES = 4000 };
typedef struct {
  uint64_t n;                           /* UINT64_MAX: the process has failed */
  _Alignas(16) char entries[ROW_BYTES]; /* indices, then values */
} row_message;

static bool fits(const row_message *m, size_t size, size_t bytes) {
  return m->n <= bytes / (sizeof(uint64_t) + size);
}

/* Broadcasts e, the entries of the owner. The others wait for it alone. outcome: the owner's. */
static GrB_Info bcast_row(row_message *m, const grid_row_col_entries *e, size_t size, int owner,
                          GrB_Info outcome) {
  GrB_Info info;
  if (grid_ctx.k == owner) {
    memset(m, 0, offsetof(row_message, entries) + FIRST_BYTES);
    m->n = outcome == GrB_SUCCESS ? e->n : UINT64_MAX;
    if (m->n && fits(m, size, ROW_BYTES)) {
      memcpy(m->entries, e->idx, m->n * sizeof *e->idx);
      memcpy(m->entries + m->n * sizeof *e->idx, e->val, m->n * size);
    }
  }
  TRY(grid_ctx.transport->bcast(GRID_SET_ALL, m, offsetof(row_message, entries) + FIRST_BYTES, owner));
  if (!fits(m, size, ROW_BYTES) || fits(m, size, FIRST_BYTES)) return info;
  info = grid_ctx.transport->bcast(GRID_SET_ALL, m->entries + FIRST_BYTES,
                                   m->n * (sizeof *e->idx + size) - FIRST_BYTES, owner);
done:
  return info;
}

/* *in = those of the message in this process's chunk of n indices, in the message's memory. */
static void take_local_entries(grid_routed_entries *in, row_message *m, size_t size, uint64_t n) {
  const uint64_t first = grid_chunk_first(n, grid_ctx.k), length = grid_chunk_length(n, grid_ctx.k);
  uint64_t *idx = (uint64_t *)(void *)m->entries;
  char *val = m->entries + m->n * sizeof *idx;
  *in = (grid_routed_entries){.idx = idx, .val = val};
  for (uint64_t k = 0; k < m->n; k++) {
    if (idx[k] - first >= length) continue;
    memmove(val + in->n * size, val + k * size, size);
    idx[in->n++] = idx[k] - first;
  }
}

/* *u = A's row v, whose entries e its owner has read with this outcome. *is_short: it was; else nothing has
 * been done. A process gets at most all n entries, so its arrays have room for at most 32 (n + 1) values, and
 * those of a short call suffice. */
static GrB_Info build_short_row(GrB_Vector *u, GrB_Matrix A, uint64_t v, const grid_row_col_entries *e,
                                GrB_Info outcome, bool may_be_short_call, bool *is_short) {
  const size_t size = A->type->size;
  row_message m;
  grid_routed_entries in;
  uint64_t where;
  GrB_Info info = bcast_row(&m, e, size, grid_chunk_of(A->nrows, v), outcome);
  *is_short = info != GrB_SUCCESS || fits(&m, size, ROW_BYTES);
  if (info != GrB_SUCCESS || !*is_short) return info == GrB_SUCCESS ? outcome : info;
  if (may_be_short_call && !A->pending.n)
    grid_short_call_begin(GRID_LIST_SHARE * (m.n + 1), size > sizeof(uint64_t) ? size : sizeof(uint64_t));
  TRY(grid_vector_alloc(u, A->type, A->ncols));
  take_local_entries(&in, &m, size, A->ncols);
  info = grid_vec_build(&(*u)->chunk, in.idx, in.val, A->type, 1, in.n, (grid_dup){.last = true}, &where);
done:
  return info;
}

/* *u = the row or column, made on the host; NULL after a failure. copy: of the block, or NULL. Local but for
 * messages. */
static GrB_Info build_vector(GrB_Vector *u, GrB_Matrix A, bool row, uint64_t v, const grid_local_matrix *copy,
                             bool may_be_short_call) {
  const uint64_t n = row ? A->ncols : A->nrows;
  const grid_row_col l = {A, row, v, copy ? copy : &A->block};
  const bool has_owner = row && grid_ctx.C == 1 && grid_ctx.P > 1;
  grid_row_col_entries e = {0};
  grid_routed_entries in = {0};
  uint64_t where;
  bool is_short = false;
  GrB_Info info = GrB_SUCCESS;
  grid_short_call_begin(UINT64_MAX, 1); /* not one: outcomes may differ */
  if (!has_owner || grid_row_col_is_local(&l)) info = grid_row_col_local_entries(&e, &l);
  if (has_owner) info = build_short_row(u, A, v, &e, info, may_be_short_call, &is_short);
  if (is_short) goto done;
  if (info == GrB_SUCCESS) info = grid_vector_alloc(u, A->type, n);
  if (grid_ctx.C == 1 && !row) { /* a process's rows are a chunk */
    for (uint64_t k = 0; info == GrB_SUCCESS && k < e.n; k++) e.idx[k] -= grid_chunk_first(n, grid_ctx.k);
    in = (grid_routed_entries){.idx = e.idx, .val = e.val, .n = e.n};
    e = (grid_row_col_entries){0};
  } else {
    info = grid_route(&in, e.n, e.idx, e.val, 1, A->type->size, n, info);
  }
  if (info == GrB_SUCCESS)
    info = grid_vec_build(&(*u)->chunk, in.idx, in.val, A->type, 1, in.n, (grid_dup){.last = true}, &where);
done:
  grid_row_col_entries_free(&e);
  grid_routed_entries_free(&in);
  if (info != GrB_SUCCESS) grid_vector_release(*u), *u = NULL;
  return info;
}

GrB_Info grid_matrix_read_vector(GrB_Vector *u, GrB_Matrix A, bool row, uint64_t v, const char *call,
                                 bool may_be_short_call, GrB_Info *outcome) {
  const grid_local_matrix *copy = grid_row_col_host_copy(A);
  GrB_Info info = GrB_SUCCESS;
  *u = NULL;
  if (!copy) TRY(can_read_unmerged(A) ? index_changes(A) : grid_matrix_require_host(A, 0, call));
  *outcome = build_vector(u, A, row, v, copy, may_be_short_call);
done:
  return info;
}

/* *u = the row or column, in device memory. GRID_UNSUPPORTED, on all: the host must make it. */
static GrB_Info get_vector_on_device(GrB_Vector *u, GrB_Matrix A, bool row, uint64_t v) {
  const uint64_t n = row ? A->ncols : A->nrows;
  GrB_Info info = GRID_UNSUPPORTED;
  *u = NULL;
  if (!grid_device_is_on() || can_read_unmerged(A)) return info;
  TRY(grid_matrix_require(A, GRID_WHOLE));
  TRY(grid_agree(&A->head, grid_vector_alloc(u, A->type, n)));
  info = grid_matrix_get_vector_device(*u, A, row, v);
  if (info == GrB_SUCCESS) grid_row_col_count_read(A, n);
done:
  if (info != GrB_SUCCESS) grid_vector_release(*u), *u = NULL;
  return info;
}

GrB_Info grid_matrix_get_vector(GrB_Vector *u, GrB_Matrix A, bool row, uint64_t v, const char *call) {
  GrB_Info outcome, info = get_vector_on_device(u, A, row, v);
  if (info != GRID_UNSUPPORTED) return info;
  TRY(grid_matrix_read_vector(u, A, row, v, call, true, &outcome));
  info = grid_short_call_agree(&A->head, outcome);
  if (info != GrB_SUCCESS) grid_vector_release(*u), *u = NULL;
done:
  return info;
}

/* ---- writing ---- */

/* Those of u, which were counted. */
static GrB_Info list_entries(grid_vector_entries *x, GrB_Vector u, const grid_entry_counts *n) {
  const size_t size = u->type->size, longest = size > sizeof *x->idx ? size : sizeof *x->idx;
  GrB_Info info = GrB_SUCCESS;
  x->n = n->nvals;
  grid_short_call_begin(x->n, longest);
  x->idx = grid_malloc(x->n, sizeof *x->idx);
  x->val = grid_malloc(x->n, size);
  if (!x->idx || !x->val) info = grid_fail_memory(&u->head, "entries of a row or column", x->n, 8 + size);
  TRY(grid_short_call_agree(&u->head, info));
  info = grid_vector_tuples(x->idx, x->val, u->type, u, n);
done:
  return info;
}

GrB_Info grid_vector_entries_of(grid_vector_entries *x, GrB_Vector u) {
  grid_entry_counts n;
  const GrB_Info info = grid_vector_count_each(&n, u);
  return info == GrB_SUCCESS ? list_entries(x, u, &n) : info;
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
  const grid_row_col l = {C, row, v};
  const grid_index_set self = {.first = row ? grid_local_row(dim, v) : grid_local_col(dim, v),
                               .n = grid_row_col_is_local(&l)},
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
static void pend_change(const grid_row_col *l, const void *x, uint64_t other) {
  GrB_Matrix C = l->A;
  grid_pending_add(&C->pending, &C->head, (grid_pending_dims){C->nrows, C->ncols}, C->type, x, C->type,
                   l->row ? l->v : other, l->row ? other : l->v);
}

/* What differs waits. Both ascend. */
static void pend_changes(const grid_row_col *l, const grid_vector_entries *before,
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
  const grid_row_col l = {C, row, v};
  grid_vector_entries after = {0};
  grid_entry_counts n;
  GrB_Info info = grid_vector_count_each(&n, w);
  if (info != GrB_SUCCESS) return info;
  const bool is_long = (n.nvals + before->n) / 2 > C->nvals / 16 + 256;
  if (C->delegates.split || (!C->pages && (grid_device_is_on() || is_long)))
    return rewrite(C, w, row, v, call);
  TRY(list_entries(&after, w, &n));
  TRY(grid_pending_reserve(&C->pending, &C->head, (grid_pending_dims){C->nrows, C->ncols}, C->type->size,
                           before->n + after.n));
  pend_changes(&l, before, &after);
done:
  grid_vector_entries_free(&after);
  return info;
}
