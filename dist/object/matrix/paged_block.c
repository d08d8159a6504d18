/* Pages of a process's own block, where its rows are no rows of a file: on a grid of several columns each has
 * some columns of them. The file's rows go through memory once, and what the block has of them is coded anew,
 * into files without names. */
#include <string.h>

#include "dist/object/matrix/matrix_pages.h"

/* Rows are coded together until they have so many entries, or there are so many of them. */
enum { CUT_ENTRIES = 1 << 18, CUT_ROWS = 1 << 20 };

/* Rows from .. row of the block, of which the last may get more: row r has columns idx[start[r - from] ..
 * start[r + 1 - from]), and the values beside them where there are any. */
typedef struct {
  grid_pages *out;
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
  const size_t size = w->one ? 0 : w->out->type->size;
  uint32_t *idx = grid_realloc(w->idx, n, sizeof *idx);
  if (idx) w->idx = idx;
  char *val = size ? grid_realloc(w->val, n, size) : NULL;
  if (val) w->val = val;
  if (!idx || (size && !val)) return grid_fail_memory(NULL, "entries of a block", n, sizeof *idx + size);
  w->room = n;
  return GrB_SUCCESS;
}

/* Row `row`, which is no earlier one than w->row, may get n entries more. */
static GrB_Info begin_row(cutting *w, uint64_t row, uint64_t n) {
  GrB_Info info = GrB_SUCCESS;
  if (row != w->row && (w->n >= CUT_ENTRIES || row - w->from >= CUT_ROWS)) TRY(flush(w));
  if (w->n == 0) w->from = w->row = row;
  if (row + 2 - w->from > w->row_room) TRY(make_row_room(w, row + 2 - w->from + CUT_ENTRIES / 16));
  if (w->n + n > w->room) TRY(make_room(w, w->n + n + w->n / 2));
  w->start[0] = 0;
  while (w->row < row) w->start[++w->row - w->from] = (uint32_t)w->n;
done:
  return info;
}

/* Of rows of the file those columns that are the block's. */
static GrB_Info cut_rows(void *context, const grid_part *rows, uint64_t first) {
  cutting *w = context;
  const grid_compressed *c = &rows->by_row;
  const size_t size = w->one ? 0 : w->out->type->size;
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

/* The s-th of the chunks that the block has rows of. */
static GrB_Info cut_chunk(cutting *w, GrB_Matrix A, const char *path, int s) {
  const int k = grid_block_chunk(true, s);
  const uint64_t rows = grid_chunk_length(A->nrows, k), first = rows ? grid_chunk_first(A->nrows, k) : 0;
  grid_pages *g;
  GrB_Info info = grid_pages_open(&g, path, first, rows);
  if (info != GrB_SUCCESS) return info;
  g->once = true;
  w->one = g->one;
  w->place = grid_block_place(A->nrows, true, s);
  info = grid_pages_stream(g, NULL, cut_rows, w);
  if (info == GrB_SUCCESS) info = flush(w); /* `one` is g's */
  grid_pages_free(g);
  return info;
}

GrB_Info grid_paged_block(grid_pages **made, GrB_Matrix A, const char *path) {
  const int j = grid_here.j, R = grid_here.R;
  cutting w = {.first = grid_chunk_first(A->ncols, j * R), .end = grid_chunk_first(A->ncols, (j + 1) * R)};
  GrB_Info info = grid_pages_new(&w.out, path, A->type, A->block.row.dim, A->block.col.dim);
  for (int s = 0; info == GrB_SUCCESS && s < grid_block_chunks(true); s++) info = cut_chunk(&w, A, path, s);
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
