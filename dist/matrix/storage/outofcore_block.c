/* Pages of a process's own block, where its rows are no rows of a file: on a grid of several columns each has
 * some columns of them. The file's rows go through memory once, and what the block has of them is coded anew,
 * into files without names. Where all that the rows have would fit, it stays in memory. */
#include <string.h>

#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/outofcore/pages/vertex_names.h"
#include "spmat/convert/lmat_format.h"
#include "spmat/matrix/axis.h"

/* Rows are coded together until they have so many entries, or there are so many of them. */
enum { SLICE_ENTRIES = 1 << 18, SLICE_ROWS = 1 << 20 };

/* Rows from .. row of the block, of which the last may get more: row r has columns idx[start[r - from] ..
 * start[r + 1 - from]), and the values beside them where there are any. */
typedef struct {
  grid_pages *out; /* NULL: rows are collected, all from row 0 on */
  GrB_Type type;
  uint64_t most;         /* entries that there will be at most, if they are collected; */
  void *owned_value;     /* ... and their one value */
  uint64_t block_offset; /* where the chunk's rows that come begin in the block */
  uint64_t first, end;   /* columns of the block */
  uint64_t from, row, n;
  uint64_t capacity, row_capacity;
  uint32_t *start, *idx;
  char *val;
  const void *iso_value;
} block_builder;

static GrB_Info flush(block_builder *w) {
  grid_local_matrix p;
  if (w->n == 0) return GrB_SUCCESS;
  w->start[w->row + 1 - w->from] = (uint32_t)w->n;
  grid_lmat_init(&p, w->out->type, w->out->rows, w->out->cols);
  p.nvals = w->n;
  p.iso = w->iso_value != NULL, p.iso_val = (void *)(uintptr_t)w->iso_value;
  p.by_row = (grid_compressed){.ptr = w->start, .idx = w->idx, .val = w->val};
  const GrB_Info info = grid_pages_append(w->out, w->from, &p, 0, w->row + 1 - w->from);
  w->n = 0;
  return info;
}

static GrB_Info reserve_rows(block_builder *w, uint64_t rows) {
  uint32_t *longer = grid_realloc(w->start, rows, sizeof *longer);
  if (!longer) return grid_fail_memory(NULL, "rows of a block", rows, sizeof *longer);
  w->start = longer;
  w->row_capacity = rows;
  return GrB_SUCCESS;
}

static GrB_Info reserve_entries(block_builder *w, uint64_t n) {
  const size_t size = w->iso_value ? 0 : w->type->size;
  uint32_t *idx = grid_realloc(w->idx, n, sizeof *idx);
  if (idx) w->idx = idx;
  char *val = size ? grid_realloc(w->val, n, size) : NULL;
  if (val) w->val = val;
  if (!idx || (size && !val)) return grid_fail_memory(NULL, "entries of a block", n, sizeof *idx + size);
  w->capacity = n;
  return GrB_SUCCESS;
}

/* Room for n entries, and for some that come after them. */
static uint64_t has_capacity(const block_builder *w, uint64_t n) {
  const uint64_t more = n + w->n / 2;
  return !w->out && more > w->most ? w->most : more;
}

/* Row `row`, which is no earlier one than w->row, may get n entries more. */
static GrB_Info begin_row(block_builder *w, uint64_t row, uint64_t n) {
  GrB_Info info = GrB_SUCCESS;
  if (w->out && row != w->row && (w->n >= SLICE_ENTRIES || row - w->from >= SLICE_ROWS)) TRY(flush(w));
  if (w->out && w->n == 0) w->from = w->row = row;
  if (row + 2 - w->from > w->row_capacity) TRY(reserve_rows(w, row + 2 - w->from + SLICE_ENTRIES / 16));
  if (w->n + n > w->capacity) TRY(reserve_entries(w, has_capacity(w, w->n + n)));
  w->start[0] = 0;
  while (w->row < row) w->start[++w->row - w->from] = (uint32_t)w->n;
done:
  return info;
}

/* Of rows of the file those columns that are the block's. */
static GrB_Info slice_rows(void *context, const grid_local_matrix *rows, uint64_t first) {
  block_builder *w = context;
  const grid_compressed *c = &rows->by_row;
  const size_t size = w->iso_value ? 0 : w->type->size;
  GrB_Info info = GrB_SUCCESS;
  for (uint64_t r = 0; r < rows->row.n; r++) {
    const uint64_t a = grid_first_entry(c->idx, c->ptr[r], c->ptr[r + 1], w->first),
                   b = grid_first_entry(c->idx, a, c->ptr[r + 1], w->end);
    if (a == b) continue;
    TRY(begin_row(w, w->block_offset + first + r, b - a));
    for (uint64_t e = a; e < b; e++) w->idx[w->n + e - a] = (uint32_t)(c->idx[e] - w->first);
    if (size) memcpy(w->val + w->n * size, (const char *)c->val + a * size, (b - a) * size);
    w->n += b - a;
  }
done:
  return info;
}

/* The file's rows that the block has some of as the s-th of its chunks. */
static GrB_Info open_chunk(grid_pages **g, const grid_pages_head *h, const char *path, int s) {
  grid_pages_range rows;
  GrB_Info info = grid_pages_find_chunk(&rows, h, path, true, grid_block_chunk(true, s));
  if (info == GrB_SUCCESS) info = grid_pages_open(g, path, rows.first, rows.n);
  if (info == GrB_SUCCESS) (*g)->is_single_pass = true;
  return info;
}

/* The one value of the pages is theirs; what is collected has its own. */
static GrB_Info record_one(block_builder *w, const grid_pages *g) {
  w->iso_value = g->one;
  if (w->out || !g->one || w->owned_value) return GrB_SUCCESS;
  w->owned_value = grid_malloc(1, w->type->size);
  if (!w->owned_value) return grid_fail_memory(NULL, "a value", 1, w->type->size);
  memcpy(w->owned_value, g->one, w->type->size);
  return GrB_SUCCESS;
}

static GrB_Info split_chunk(block_builder *w, const grid_pages_head *h, const char *path, int s) {
  grid_pages *g;
  GrB_Info info = open_chunk(&g, h, path, s);
  if (info != GrB_SUCCESS) return info;
  if (!(h->flags & GRID_PAGES_HYPERSPARSE)) w->block_offset = grid_block_offset(h->nrows, true, s);
  info = record_one(w, g);
  if (info == GrB_SUCCESS) info = grid_pages_stream(g, NULL, slice_rows, w);
  if (info == GrB_SUCCESS && w->out) info = flush(w); /* `one` is g's */
  w->block_offset += g->rows;                         /* the next chunk's listed rows follow these */
  grid_pages_free(g);
  return info;
}

/* The block's columns, which are consecutive chunks, among those of the file. */
static GrB_Info find_columns(block_builder *w, const grid_pages_head *h, const char *path) {
  grid_pages_range cols;
  GrB_Info info = GrB_SUCCESS;
  for (int s = 0; s < grid_block_chunks(false) && info == GrB_SUCCESS; s++) {
    info = grid_pages_find_chunk(&cols, h, path, false, grid_block_chunk(false, s));
    if (info == GrB_SUCCESS && cols.n) {
      if (w->first == w->end) w->first = cols.first;
      w->end = cols.first + cols.n;
    }
  }
  return info;
}

static GrB_Info slice_all(block_builder *w, GrB_Type type, const grid_pages_head *h, const char *path) {
  w->type = type;
  GrB_Info info = find_columns(w, h, path);
  for (int s = 0; info == GrB_SUCCESS && s < grid_block_chunks(true); s++) info = split_chunk(w, h, path, s);
  return info;
}

GrB_Info grid_paged_block(grid_pages **made, GrB_Matrix A, const grid_axis axes[2], const grid_pages_head *h,
                          const char *path) {
  block_builder w = {.out = NULL};
  GrB_Info info = grid_pages_new(&w.out, path, A->type, grid_axis_span(&axes[0]), grid_axis_span(&axes[1]));
  if (info == GrB_SUCCESS) info = slice_all(&w, A->type, h, path);
  grid_free(w.start);
  grid_free(w.idx);
  grid_free(w.val);
  if (info == GrB_SUCCESS)
    grid_pages_complete(w.out);
  else
    grid_pages_free(w.out), w.out = NULL;
  *made = w.out;
  return info;
}

/* ---- in memory ----------------------------------------------------------------------------------------- */

GrB_Info grid_paged_block_bound(uint64_t *entries, const grid_pages_head *h, const char *path) {
  GrB_Info info = GrB_SUCCESS;
  *entries = 0;
  for (int s = 0; info == GrB_SUCCESS && s < grid_block_chunks(true); s++) {
    grid_pages *g = NULL;
    info = open_chunk(&g, h, path, s);
    if (info == GrB_SUCCESS) *entries += grid_pages_nvals(g);
    grid_pages_free(g);
  }
  return info;
}

/* What was collected is p's; what there was room for beyond it is given back. */
static GrB_Info move_from(grid_local_matrix *p, block_builder *w) {
  const uint64_t rows = p->row.dim;
  if (w->n == 0) return GrB_SUCCESS;
  while (w->row < rows) w->start[++w->row] = (uint32_t)w->n;
  uint32_t *idx = grid_realloc(w->idx, w->n, sizeof *idx);
  char *val = w->val ? grid_realloc(w->val, w->n, w->type->size) : NULL;
  p->row.n = rows, p->col.n = p->col.dim;
  p->nvals = w->n;
  p->iso = w->owned_value != NULL, p->iso_val = w->owned_value;
  p->by_row = (grid_compressed){.ptr = w->start, .idx = idx ? idx : w->idx, .val = val ? val : w->val};
  w->start = w->idx = NULL, w->val = NULL, w->owned_value = NULL;
  return grid_lmat_choose_format(p);
}

GrB_Info grid_paged_block_lmat(grid_local_matrix *p, uint64_t entries, GrB_Matrix A, const grid_pages_head *h,
                               const char *path) {
  block_builder w = {.most = entries, .row_capacity = p->row.dim + 1};
  GrB_Info info = GrB_SUCCESS;
  w.start = grid_calloc(w.row_capacity, sizeof *w.start);
  if (!w.start) info = grid_fail_memory(NULL, "rows of a block", w.row_capacity, sizeof *w.start);
  if (info == GrB_SUCCESS) info = slice_all(&w, A->type, h, path);
  if (info == GrB_SUCCESS) info = move_from(p, &w);
  if (info != GrB_SUCCESS) grid_lmat_free(p);
  grid_free(w.start);
  grid_free(w.idx);
  grid_free(w.val);
  grid_free(w.owned_value);
  return info;
}
