/* Loads rows from pages into a local matrix. */
#include <string.h>

#include "dist/outofcore/pages/row_pages.h"
#include "semiring/support/mem.h"
#include "semiring/support/tuning.h"
#include "spmat/convert/lmat_format.h"

typedef struct {
  grid_local_matrix *lmat;
  uint64_t first, end; /* rows to load */
  uint64_t entries;    /* loaded so far */
} taking;

static GrB_Info append_rows(void *context, const grid_local_matrix *rows, uint64_t first) {
  taking *t = context;
  grid_compressed *to = &t->lmat->by_row;
  const grid_compressed *c = &rows->by_row;
  const size_t size = t->lmat->type->size;
  const uint64_t a = t->first > first ? t->first - first : 0, b = t->end - first,
                 from = c->ptr[a < rows->row.n ? a : rows->row.n],
                 n = c->ptr[b < rows->row.n ? b : rows->row.n] - from;
  grid_copy_bytes(to->idx + t->entries, c->idx + from, n * sizeof *to->idx);
  if (to->val && rows->iso)
    for (uint64_t e = 0; e < n; e++) memcpy((char *)to->val + (t->entries + e) * size, rows->iso_val, size);
  else if (to->val)
    grid_copy_bytes((char *)to->val + t->entries * size, (const char *)c->val + from * size, n * size);
  t->entries += n;
  return GrB_SUCCESS;
}

/* The first page with entries of row `row` or later, counted from the first page's first row. */
static uint64_t page_of(const grid_pages *g, uint64_t row) {
  uint64_t low = 0, high = g->pages;
  while (low < high) {
    const uint64_t k = low + (high - low) / 2;
    const grid_page *next = &g->page[k + 1];
    if (k + 1 < g->pages && (next->row < row || (next->row == row && !next->before)))
      low = k + 1;
    else
      high = k;
  }
  return low;
}

void grid_pages_mark_rows(uint64_t *wanted, const grid_pages *g, uint64_t first, uint64_t end) {
  for (uint64_t k = page_of(g, first + g->lead_rows); k < g->pages && g->page[k].row < end + g->lead_rows;
       k++)
    wanted[k >> 6] |= UINT64_C(1) << (k & 63);
}

/* *wanted: bitmap of the pages that hold entries of rows first .. end; NULL: all. */
static GrB_Info mark_pages(uint64_t **wanted, const grid_pages *g, uint64_t first, uint64_t end) {
  *wanted = NULL;
  if (first == 0 && end == g->rows) return GrB_SUCCESS;
  *wanted = grid_calloc(grid_words(g->pages), sizeof **wanted);
  if (!*wanted) return grid_fail_memory(NULL, "wanted pages", grid_words(g->pages), sizeof **wanted);
  grid_pages_mark_rows(*wanted, g, first, end);
  return GrB_SUCCESS;
}

GrB_Info grid_pages_stream_rows(grid_pages *g, uint64_t first, uint64_t end, grid_pages_visit *visit,
                                void *context) {
  uint64_t *wanted;
  GrB_Info info = mark_pages(&wanted, g, first, end);
  if (info == GrB_SUCCESS) info = grid_pages_stream(g, wanted, visit, context);
  grid_free(wanted);
  return info;
}

GrB_Info grid_pages_read_rows(grid_local_matrix *p, grid_pages *g, uint64_t first, uint64_t end) {
  const uint64_t dim = p->row.dim;
  const uint32_t *length = grid_pages_lengths(g);
  grid_compressed *c = &p->by_row;
  taking t = {.lmat = p, .first = first, .end = end};
  uint64_t n = 0, at = 0;
  GrB_Info info = GrB_SUCCESS;
  if (end > g->rows) end = t.end = g->rows;
  for (uint64_t r = first; r < end; r++) n += length[r];
  if (n == 0) return info;
  const bool offsets64 = n >= grid_tune.offsets64_from;
  p->row.n = dim, p->col.n = p->col.dim;
  c->ptr = offsets64 ? NULL : grid_malloc(dim + 1, sizeof *c->ptr);
  c->offsets64 = offsets64 ? grid_malloc(dim + 1, sizeof *c->offsets64) : NULL;
  c->idx = grid_malloc(n, sizeof *c->idx);
  c->val = g->one ? NULL : grid_malloc(n, p->type->size);
  if (!grid_compressed_is_built(c) || !c->idx || (!g->one && !c->val))
    TRY(grid_fail_memory(NULL, "a matrix's rows", n, sizeof *c->idx + (g->one ? 0 : p->type->size)));
  for (uint64_t r = 0; r <= dim; r++) {
    grid_offset_set(grid_vector_starts(c), r, at);
    if (r >= first && r < end) at += length[r];
  }
  p->nvals = n;
  if (g->one) TRY(grid_lmat_set_iso(p, g->one));
  TRY(grid_pages_stream_rows(g, first, end, append_rows, &t));
  info = grid_lmat_choose_format(p);
done:
  if (info != GrB_SUCCESS) grid_lmat_free(p);
  return info;
}

/* ---- one entry ---- */

typedef struct {
  uint64_t row, col;
  void *value;
  bool found;
} finding;

static GrB_Info find(void *context, const grid_local_matrix *rows, uint64_t first) {
  finding *f = context;
  const grid_compressed *c = &rows->by_row;
  if (f->row < first || f->row - first >= rows->row.n) return GrB_SUCCESS;
  const uint64_t r = f->row - first, end = c->ptr[r + 1],
                 e = grid_first_entry(c->idx, c->ptr[r], end, f->col);
  if (e == end || c->idx[e] != f->col) return GrB_SUCCESS;
  f->found = true;
  memcpy(f->value, grid_lmat_value(rows, e), rows->type->size);
  return GrB_SUCCESS;
}

GrB_Info grid_pages_find(grid_pages *g, uint64_t row, uint64_t col, const void **value) {
  *value = NULL;
  if (row >= g->rows || grid_pages_lengths(g)[row] == 0) return GrB_SUCCESS;
  if (!g->found) g->found = grid_malloc(1, g->type->size);
  if (!g->found) return grid_fail_memory(NULL, "a value", 1, g->type->size);
  finding f = {.row = row, .col = col, .value = g->found};
  const GrB_Info info = grid_pages_stream_rows(g, row, row + 1, find, &f);
  if (f.found) *value = g->found;
  return info;
}
