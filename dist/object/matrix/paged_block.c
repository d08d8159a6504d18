/* Pages of a process's own block, where its rows are no rows of a file: on a grid of several columns each has
 * some columns of them. The file's rows go through memory once, and what the block has of them is coded anew,
 * into files without names, or, where all that the rows have would fit, stays in memory. */
#include <string.h>

#include "dist/object/matrix/matrix_pages.h"
#include "spmat/convert/part_conform.h"

/* Rows are coded together until they have so many entries, or there are so many of them. */
enum { CUT_ENTRIES = 1 << 18, CUT_ROWS = 1 << 20 };

/* Rows from .. row of the block, of which the last may get more: row r has columns idx[start[r - from] ..
 * start[r + 1 - from]), and the values beside them where there are any. */
typedef struct {
  grid_pages *out; /* NULL: rows are collected, all from row 0 on */
  GrB_Type type;
  uint64_t most;       /* entries that there will be at most, if they are collected; */
  void *own;           /* ... and their one value */
  uint64_t place;      /* where the chunk's rows that come begin in the block */
  uint64_t first, end; /* columns of the block */
  uint64_t from, row, n;
  uint64_t room, row_room;
  uint32_t *start, *idx;
  char *val;
  const void *one;
} cutting;

static GrB_Info flush(cutting *w) {
  grid_part p;
  if (w->n == 0) return GrB_SUCCESS;
  w->start[w->row + 1 - w->from] = (uint32_t)w->n;
  grid_part_init(&p, w->out->type, w->out->rows, w->out->cols);
  p.nvals = w->n;
  p.iso = w->one != NULL, p.iso_val = (void *)(uintptr_t)w->one;
  p.by_row = (grid_compressed){.ptr = w->start, .idx = w->idx, .val = w->val};
  const GrB_Info info = grid_pages_append(w->out, w->from, &p, 0, w->row + 1 - w->from);
  w->n = 0;
  return info;
}

static GrB_Info make_row_room(cutting *w, uint64_t rows) {
  uint32_t *longer = grid_realloc(w->start, rows, sizeof *longer);
  if (!longer) return grid_fail_memory(NULL, "rows of a block", rows, sizeof *longer);
  w->start = longer;
  w->row_room = rows;
  return GrB_SUCCESS;
}

static GrB_Info make_room(cutting *w, uint64_t n) {
  const size_t size = w->one ? 0 : w->type->size;
  uint32_t *idx = grid_realloc(w->idx, n, sizeof *idx);
  if (idx) w->idx = idx;
  char *val = size ? grid_realloc(w->val, n, size) : NULL;
  if (val) w->val = val;
  if (!idx || (size && !val)) return grid_fail_memory(NULL, "entries of a block", n, sizeof *idx + size);
  w->room = n;
  return GrB_SUCCESS;
}

/* Room for n entries, and for some that come after them. */
static uint64_t room_for(const cutting *w, uint64_t n) {
  const uint64_t more = n + w->n / 2;
  return !w->out && more > w->most ? w->most : more;
}

/* Row `row`, which is no earlier one than w->row, may get n entries more. */
static GrB_Info begin_row(cutting *w, uint64_t row, uint64_t n) {
  GrB_Info info = GrB_SUCCESS;
  if (w->out && row != w->row && (w->n >= CUT_ENTRIES || row - w->from >= CUT_ROWS)) TRY(flush(w));
  if (w->out && w->n == 0) w->from = w->row = row;
  if (row + 2 - w->from > w->row_room) TRY(make_row_room(w, row + 2 - w->from + CUT_ENTRIES / 16));
  if (w->n + n > w->room) TRY(make_room(w, room_for(w, w->n + n)));
  w->start[0] = 0;
  while (w->row < row) w->start[++w->row - w->from] = (uint32_t)w->n;
done:
  return info;
}

/* Of rows of the file those columns that are the block's. */
static GrB_Info cut_rows(void *context, const grid_part *rows, uint64_t first) {
  cutting *w = context;
  const grid_compressed *c = &rows->by_row;
  const size_t size = w->one ? 0 : w->type->size;
  GrB_Info info = GrB_SUCCESS;
  for (uint64_t r = 0; r < rows->row.n; r++) {
    const uint64_t a = grid_first_entry(c->idx, c->ptr[r], c->ptr[r + 1], w->first),
                   b = grid_first_entry(c->idx, a, c->ptr[r + 1], w->end);
    if (a == b) continue;
    TRY(begin_row(w, w->place + first + r, b - a));
    for (uint64_t e = a; e < b; e++) w->idx[w->n + e - a] = (uint32_t)(c->idx[e] - w->first);
    if (size) memcpy(w->val + w->n * size, (const char *)c->val + a * size, (b - a) * size);
    w->n += b - a;
  }
done:
  return info;
}

/* The file's rows that the block has some of as the s-th of its chunks. */
static GrB_Info open_chunk(grid_pages **g, GrB_Matrix A, const char *path, int s) {
  const int k = grid_block_chunk(true, s);
  const uint64_t rows = grid_chunk_length(A->nrows, k), first = rows ? grid_chunk_first(A->nrows, k) : 0;
  const GrB_Info info = grid_pages_open(g, path, first, rows);
  if (info == GrB_SUCCESS) (*g)->once = true;
  return info;
}

/* The one value of the pages is theirs; what is collected has its own. */
static GrB_Info note_one(cutting *w, const grid_pages *g) {
  w->one = g->one;
  if (w->out || !g->one || w->own) return GrB_SUCCESS;
  w->own = grid_malloc(1, w->type->size);
  if (!w->own) return grid_fail_memory(NULL, "a value", 1, w->type->size);
  memcpy(w->own, g->one, w->type->size);
  return GrB_SUCCESS;
}

static GrB_Info cut_chunk(cutting *w, GrB_Matrix A, const char *path, int s) {
  grid_pages *g;
  GrB_Info info = open_chunk(&g, A, path, s);
  if (info != GrB_SUCCESS) return info;
  w->place = grid_block_place(A->nrows, true, s);
  info = note_one(w, g);
  if (info == GrB_SUCCESS) info = grid_pages_stream(g, NULL, cut_rows, w);
  if (info == GrB_SUCCESS && w->out) info = flush(w); /* `one` is g's */
  grid_pages_free(g);
  return info;
}

static GrB_Info cut_all(cutting *w, GrB_Matrix A, const char *path, GrB_Info info) {
  const int j = grid_here.j, R = grid_here.R;
  w->type = A->type;
  w->first = grid_chunk_first(A->ncols, j * R), w->end = grid_chunk_first(A->ncols, (j + 1) * R);
  for (int s = 0; info == GrB_SUCCESS && s < grid_block_chunks(true); s++) info = cut_chunk(w, A, path, s);
  return info;
}

GrB_Info grid_paged_block(grid_pages **made, GrB_Matrix A, const char *path) {
  cutting w = {.out = NULL};
  GrB_Info info = grid_pages_new(&w.out, path, A->type, A->block.row.dim, A->block.col.dim);
  info = cut_all(&w, A, path, info);
  grid_free(w.start);
  grid_free(w.idx);
  grid_free(w.val);
  if (info == GrB_SUCCESS)
    grid_pages_made_whole(w.out);
  else
    grid_pages_free(w.out), w.out = NULL;
  *made = w.out;
  return info;
}

/* ---- in memory -------------------------------------------------------------------------------------------
 */

GrB_Info grid_paged_block_bound(uint64_t *entries, GrB_Matrix A, const char *path) {
  GrB_Info info = GrB_SUCCESS;
  *entries = 0;
  for (int s = 0; info == GrB_SUCCESS && s < grid_block_chunks(true); s++) {
    grid_pages *g = NULL;
    info = open_chunk(&g, A, path, s);
    if (info == GrB_SUCCESS) *entries += grid_pages_nvals(g);
    grid_pages_free(g);
  }
  return info;
}

/* What was collected is p's; what there was room for beyond it is given back. */
static GrB_Info take_over(grid_part *p, cutting *w) {
  const uint64_t rows = p->row.dim;
  if (w->n == 0) return GrB_SUCCESS;
  while (w->row < rows) w->start[++w->row] = (uint32_t)w->n;
  uint32_t *idx = grid_realloc(w->idx, w->n, sizeof *idx);
  char *val = w->val ? grid_realloc(w->val, w->n, w->type->size) : NULL;
  p->row.n = rows, p->col.n = p->col.dim;
  p->nvals = w->n;
  p->iso = w->own != NULL, p->iso_val = w->own;
  p->by_row = (grid_compressed){.ptr = w->start, .idx = idx ? idx : w->idx, .val = val ? val : w->val};
  w->start = w->idx = NULL, w->val = NULL, w->own = NULL;
  return grid_part_conform(p);
}

GrB_Info grid_paged_block_part(grid_part *p, uint64_t entries, GrB_Matrix A, const char *path) {
  cutting w = {.most = entries, .row_room = p->row.dim + 1};
  GrB_Info info = GrB_SUCCESS;
  w.start = grid_calloc(w.row_room, sizeof *w.start);
  if (!w.start) info = grid_fail_memory(NULL, "rows of a block", w.row_room, sizeof *w.start);
  info = cut_all(&w, A, path, info);
  if (info == GrB_SUCCESS) info = take_over(p, &w);
  if (info != GrB_SUCCESS) grid_part_free(p);
  grid_free(w.start);
  grid_free(w.idx);
  grid_free(w.val);
  grid_free(w.own);
  return info;
}
