/* See mxm_panel.h. */
#include "dist/product/mxm/operands/mxm_panel.h"

#include <string.h>

#include "dist/product/mxm/operands/mxm_segments.h"

grid_rows grid_rows_of(const grid_local_matrix *p, bool transposed, bool values) {
  return (grid_rows){.row = transposed ? &p->col : &p->row,
                     .col = transposed ? &p->row : &p->col,
                     .c = transposed ? &p->by_col : &p->by_row,
                     .nvals = p->nvals,
                     .iso = p->iso ? p->iso_val : NULL,
                     .size = values ? p->type->size : 0};
}

mxm_vectors grid_rows_vectors(const grid_rows *x) {
  const grid_compressed *c = x->c;
  return (mxm_vectors){.from = c->ptr,
                       .to = c->ptr ? c->ptr + 1 : NULL,
                       .from64 = c->offsets64,
                       .to64 = c->offsets64 ? c->offsets64 + 1 : NULL,
                       .idx = c->idx,
                       .val = x->size ? x->iso ? x->iso : c->val : NULL,
                       .val_and = x->iso ? 0 : ~UINT64_C(0)};
}

void grid_panel_free(grid_panel *p) {
  grid_free(p->global_index);
  grid_free(p->start);
  grid_free(p->end);
  grid_free(p->idx);
  grid_free(p->val);
  *p = (grid_panel){0};
}

/* Number of the block's columns (rows) in chunks before `chunk`. A block's columns are R consecutive chunks,
 * its rows every R-th one. */
static uint64_t columns_before(uint64_t n, uint64_t chunk) {
  const uint64_t R = (uint64_t)grid_ctx.R, j = (uint64_t)grid_ctx.j,
                 chunks = chunk <= j * R      ? 0
                          : chunk - j * R < R ? chunk - j * R
                                              : R;
  return grid_block_offset(n, false, (int)chunks);
}
static uint64_t rows_before(uint64_t n, uint64_t chunk) {
  const uint64_t R = (uint64_t)grid_ctx.R, i = (uint64_t)grid_ctx.i;
  return grid_block_offset(n, true, chunk <= i ? 0 : (int)((chunk - i + R - 1) / R));
}

/* ---- entries ---- */

/* Allocates the entries of all segments. */
static GrB_Info make_entries(grid_panel *p, const grid_segments *x, size_t size) {
  p->idx = grid_malloc(x->entries, sizeof *p->idx);
  p->val = grid_malloc(x->iso ? 1 : x->entries, size);
  if (!p->idx || !p->val)
    return grid_fail_memory(NULL, "gathered entries", x->entries, size + sizeof *p->idx);
  if (x->iso) memcpy(p->val, x->one, size);
  p->entries = x->iso ? 1 : x->entries;
  p->v.idx = p->idx;
  p->v.val = size ? p->val : NULL;
  p->v.val_and = x->iso ? 0 : ~UINT64_C(0);
  return GrB_SUCCESS;
}

/* Copies values from .. from + n of a segment to position `to`. */
static void copy_values(grid_panel *p, const grid_segments *x, const grid_segment *q, uint64_t from,
                        uint64_t to, uint64_t n, size_t size) {
  if (!size || x->iso) return;
  if (!q->h.iso) {
    memcpy(p->val + to * size, q->val + from * size, n * size);
    return;
  }
  for (uint64_t k = 0; k < n; k++) memcpy(p->val + (to + k) * size, q->val, size);
}

/* ---- columns of A ---- */

static uint64_t global_of_column(uint64_t ninner, int j, uint64_t id) {
  return grid_chunk_first(ninner, j * grid_ctx.R) + id;
}

GrB_Info grid_panel_local_columns(const grid_rows *a, uint64_t ninner, uint64_t from, uint64_t to,
                                  grid_panel *p) {
  const uint64_t rows = a->row->n, c0 = grid_axis_bound(a->col, columns_before(ninner, from)),
                 c1 = grid_axis_bound(a->col, columns_before(ninner, to));
  p->v = grid_rows_vectors(a);
  p->inner = a->col->n;
  p->entries = a->iso ? 1 : a->nvals;
  p->global_index = grid_malloc(p->inner, sizeof *p->global_index);
  if (!p->global_index) return grid_fail_memory(NULL, "inner indices", p->inner, sizeof *p->global_index);
  for (uint64_t c = 0; c < p->inner; c++)
    p->global_index[c] = global_of_column(ninner, grid_ctx.j, grid_axis_id(a->col, c));
  if (c0 == 0 && c1 == a->col->n) return GrB_SUCCESS;
  const grid_slice s = {a, 0, rows, c0, c1, false};
  p->start = grid_malloc(rows, sizeof *p->start);
  p->end = grid_malloc(rows, sizeof *p->end);
  if (!p->start || !p->end) return grid_fail_memory(NULL, "segments of rows", rows, sizeof *p->start);
  for (uint64_t r = 0; r < rows; r++) p->end[r] = grid_slice_entries(&s, r, &p->start[r]) + p->start[r];
  p->v.from = p->v.to = NULL;
  p->v.from64 = p->start, p->v.to64 = p->end;
  return GrB_SUCCESS;
}

static uint64_t common_row(const grid_numbering *rows, int r, uint64_t number) {
  return rows->map && rows->map[r] ? rows->map[r][number] : number;
}

/* Concatenates the segments' rows in the order of the processes, which is that of the columns. */
static GrB_Info concatenate_columns(const grid_segments *x, uint64_t ninner, const grid_numbering *rows,
                                    size_t size, grid_panel *p) {
  const uint64_t n = rows->axis.n;
  GrB_Info info = make_entries(p, x, size);
  if (info != GrB_SUCCESS) return info;
  p->inner = x->cols;
  p->global_index = grid_malloc(x->cols, sizeof *p->global_index);
  p->start = grid_calloc(n + 2, sizeof *p->start);
  if (!p->global_index || !p->start)
    return grid_fail_memory(NULL, "gathered rows", n + x->cols, sizeof *p->start);
  uint64_t *at = p->start + 1, inner = 0; /* at[r]: position of the next entry of row r */
  for (int r = 0; r < x->n; r++)
    for (uint64_t k = 0; k < x->p[r].h.rows; k++)
      at[common_row(rows, r, x->p[r].name[k]) + 1] += x->p[r].count[k];
  for (uint64_t k = 0; k < n; k++) at[k + 1] += at[k];
  for (int r = 0; r < x->n; r++) {
    const grid_segment *q = &x->p[r];
    for (uint64_t k = 0, e = 0; k < q->h.rows; e += q->count[k++]) {
      uint64_t *to = &at[common_row(rows, r, q->name[k])];
      for (uint64_t f = 0; f < q->count[k]; f++) p->idx[*to + f] = q->idx[e + f] + (uint32_t)inner;
      copy_values(p, x, q, e, *to, q->count[k], size);
      *to += q->count[k];
    }
    for (uint64_t c = 0; c < q->h.cols; c++)
      p->global_index[inner + c] = global_of_column(ninner, r, q->h.hypersparse ? q->id[c] : q->h.first + c);
    inner += q->h.cols;
  }
  p->v.from64 = p->start, p->v.to64 = p->start + 1;
  return GrB_SUCCESS;
}

GrB_Info grid_panel_columns(const grid_rows *a, uint64_t ninner, uint64_t from, uint64_t to,
                            const grid_numbering *rows, grid_panel *p) {
  const grid_slice s = {a,
                        0,
                        a->row->n,
                        grid_axis_bound(a->col, columns_before(ninner, from)),
                        grid_axis_bound(a->col, columns_before(ninner, to)),
                        false};
  grid_segments x;
  GrB_Info info = grid_gather_segments(GRID_SET_ROW, &s, GrB_SUCCESS, &x);
  if (info == GrB_SUCCESS && x.cols > UINT32_MAX)
    info = grid_fail(NULL, GrB_OUT_OF_MEMORY, "a product has %llu inner indices on one process",
                     (unsigned long long)x.cols);
  if (info == GrB_SUCCESS) info = concatenate_columns(&x, ninner, rows, a->size, p);
  grid_segments_free(&x);
  return info;
}

/* ---- rows of B ---- */

/* The local row of a global inner index, and the process (i) of the grid column that has it. */
static uint64_t row_of_global(uint64_t ninner, uint64_t global_index, int *i) {
  uint64_t offset;
  const int k = grid_owner(ninner, global_index, &offset);
  *i = k % grid_ctx.R;
  return grid_chunk_offset(ninner, true, k) + offset;
}

static GrB_Info make_bounds(grid_panel *p, uint64_t n) {
  p->start = grid_calloc(n, sizeof *p->start);
  p->end = grid_calloc(n, sizeof *p->end);
  if (!p->start || !p->end) return grid_fail_memory(NULL, "rows of inner indices", n, sizeof *p->start);
  p->v.from = p->v.to = NULL;
  p->v.from64 = p->start, p->v.to64 = p->end;
  return GrB_SUCCESS;
}

GrB_Info grid_panel_local_rows(const grid_rows *b, uint64_t ninner, uint64_t from, uint64_t to,
                               const grid_panel *a, grid_panel *p) {
  const uint64_t begin = grid_chunk_first(ninner, (int)from), end = grid_chunk_first(ninner, (int)to);
  int i;
  p->v = grid_rows_vectors(b);
  p->entries = b->iso ? 1 : b->nvals;
  GrB_Info info = make_bounds(p, a->inner);
  for (uint64_t k = 0, r = 0; info == GrB_SUCCESS && k < a->inner; k++) {
    if (a->global_index[k] < begin || a->global_index[k] >= end) continue;
    const uint64_t row = row_of_global(ninner, a->global_index[k], &i);
    if (b->row->ids)
      while (r < b->row->n && grid_axis_id(b->row, r) < row) r++;
    else
      r = row;
    if (r >= b->row->n || grid_axis_id(b->row, r) != row) continue;
    p->start[k] = grid_vector_start(b->c, r);
    p->end[k] = grid_vector_start(b->c, r + 1);
  }
  return info;
}

/* The next row of a segment, whose rows ascend, and the position of its first entry. */
typedef struct {
  uint64_t entry, row;
} cursor;

static GrB_Info concatenate_rows(const grid_segments *x, uint64_t ninner, const grid_panel *a,
                                 const grid_numbering *cols, size_t size, grid_panel *p) {
  uint64_t at = 0;
  cursor *next = grid_calloc((size_t)x->n, sizeof *next);
  GrB_Info info = next ? GrB_SUCCESS : grid_fail_memory(NULL, "segments", (size_t)x->n, sizeof *next);
  TRY(info);
  TRY(make_entries(p, x, size));
  TRY(make_bounds(p, a->inner));
  for (int r = 0; r < x->n; r++) {
    const grid_segment *q = &x->p[r];
    const uint32_t *map = cols->map ? cols->map[r] : NULL;
    for (uint64_t e = 0; e < q->h.entries; e++) p->idx[at + e] = map ? map[q->idx[e]] : q->idx[e];
    copy_values(p, x, q, 0, at, q->h.entries, size);
    next[r].entry = at;
    at += q->h.entries;
  }
  for (uint64_t k = 0; k < a->inner; k++) {
    int r;
    const uint64_t row = row_of_global(ninner, a->global_index[k], &r);
    const grid_segment *q = &x->p[r];
    cursor *c = &next[r];
    while (c->row < q->h.rows && q->name[c->row] < row) c->entry += q->count[c->row++];
    if (c->row == q->h.rows || q->name[c->row] != row) continue;
    p->start[k] = c->entry;
    p->end[k] = c->entry + q->count[c->row];
  }
done:
  grid_free(next);
  return info;
}

GrB_Info grid_panel_rows(const grid_rows *b, uint64_t ninner, uint64_t from, uint64_t to, GrB_Info info,
                         const grid_panel *a, const grid_numbering *cols, grid_panel *p) {
  const grid_slice s = {b,
                        grid_axis_bound(b->row, rows_before(ninner, from)),
                        grid_axis_bound(b->row, rows_before(ninner, to)),
                        0,
                        b->col->n,
                        true};
  grid_segments x;
  info = grid_gather_segments(GRID_SET_COL, &s, info, &x);
  if (info == GrB_SUCCESS) info = concatenate_rows(&x, ninner, a, cols, b->size, p);
  grid_segments_free(&x);
  return info;
}
