/* See page_decode.h. */
#include "dist/outofcore/pages/page_decode.h"

#include <errno.h>
#include <string.h>

#include "dist/outofcore/pages/page_cache.h"
#include "semiring/support/mem.h"
#include "spmat/convert/checksum.h"
#include "spmat/convert/page_code.h"
#include "spmat/vector/bits.h"

/* Entries that one thread decodes at a time: their columns fit the second-level cache. */
enum { ENTRIES_PER_THREAD = 1 << 17 };

static grid_page_window make_window(const grid_pages *g, const grid_page_range *x, uint64_t a, uint64_t b) {
  const grid_page *page = &g->page[a];
  const uint64_t from = page->entry > x->first ? page->entry : x->first,
                 to = g->page[b].entry < x->last ? g->page[b].entry : x->last,
                 lead_rows = g->lead_rows + x->row;
  grid_page_window w = {.skip = from - page->entry, .entries = to > from ? to - from : 0};
  /* the first page may begin with rows of an earlier range or process */
  w.row = x->row + (page->row > lead_rows ? page->row - lead_rows : 0);
  w.before = page->row >= lead_rows ? page->before : 0;
  w.first = w.row / 64 * 64;
  const uint32_t *length = grid_pages_lengths(g);
  uint64_t end = w.row, left = w.entries + w.before;
  while (left && end < x->end) {
    left -= left < length[end] ? left : length[end];
    end++;
  }
  end = (end + 63) / 64 * 64;
  w.n = (end < x->end ? end : x->end) - w.first;
  return w;
}

static size_t value_size(const grid_pages *g) {
  return g->one ? 0 : g->type->size;
}

static GrB_Info allocate_buffers(grid_page_decoder *d, const grid_page_window *w, uint64_t entries) {
  grid_compressed *c = &d->lmat.by_row;
  const size_t size = value_size(d->g);
  if (w->n > d->rows_capacity) {
    grid_compressed_free(
        &(grid_compressed){.ptr = c->ptr, .hub_neighbor = c->hub_neighbor, .nonempty = c->nonempty},
        grid_free);
    d->rows_capacity = 0;
    c->ptr = grid_malloc(w->n + 1, sizeof *c->ptr);
    c->hub_neighbor = grid_malloc(w->n + 64, sizeof *c->hub_neighbor); /* read in words of 64 rows */
    c->nonempty = grid_malloc(grid_words(w->n), sizeof *c->nonempty);
    if (!c->ptr || !c->hub_neighbor || !c->nonempty) return grid_fail_memory(NULL, "rows of pages", w->n, 9);
    d->rows_capacity = w->n;
  }
  if (entries <= d->entries_capacity) return GrB_SUCCESS;
  grid_free(c->idx);
  grid_free(c->val);
  d->entries_capacity = 0;
  c->idx = grid_malloc(entries + 1, sizeof *c->idx);
  c->val = size ? grid_malloc(entries, size) : NULL;
  if (!c->idx || (size && !c->val)) return grid_fail_memory(NULL, "entries of pages", entries, 4 + size);
  d->entries_capacity = entries;
  return GrB_SUCCESS;
}

GrB_Info grid_pages_fail_damaged(const grid_pages *g, uint64_t page) {
  return grid_fail(NULL, GrB_INVALID_VALUE, "%s: the page file is damaged: the page at byte %llu", g->path,
                   (unsigned long long)g->page[page].at);
}

static const char *bytes_of_page(const grid_pages *g, const grid_page_slot *from, uint64_t k) {
  return from->pages.cached ? grid_page_cache_get(g, k) : from->read.at + (g->page[k].at - from->read.from);
}

static uint64_t entries_of_page(const grid_pages *g, uint64_t k) {
  return g->page[k + 1].entry - g->page[k].entry;
}

static uint64_t size_of_page(const grid_pages *g, uint64_t k) {
  return g->page[k + 1].at - g->page[k].at;
}

/* Bytes of page k's columns; 0: the page is damaged. */
static uint64_t check_page(const grid_page_slot *from, const grid_pages *g, uint64_t k, const char *at) {
  const uint64_t n = entries_of_page(g, k), bytes = size_of_page(g, k);
  if (!from->pages.cached && grid_checksum(at, bytes, n) != g->page[k].checksum) return 0;
  const uint64_t columns = grid_page_columns((const unsigned char *)at, bytes, n);
  const bool values = columns != bytes || !g->implied;
  return values && columns + (n * value_size(g) + 7) / 8 * 8 != bytes ? 0 : columns;
}

void grid_page_values(char *to, const grid_pages *g, uint64_t k, const char *bytes, uint64_t columns,
                      uint64_t e, uint64_t n) {
  const size_t size = g->type->size;
  const bool implied = g->implied && columns == size_of_page(g, k);
  if (!implied) memcpy(to, bytes + columns + e * size, n * size);
  for (uint64_t j = 0; implied && j < n; j++) memcpy(to + j * size, g->implied, size);
}

/* Decodes page k to its position relative to page a. */
static bool decode_page(grid_page_decoder *d, const grid_page_slot *from, uint64_t a, uint64_t k) {
  const grid_pages *g = d->g;
  const grid_page *p = &g->page[k];
  const char *at = bytes_of_page(g, from, k);
  const uint64_t n = entries_of_page(g, k), to = p->entry - g->page[a].entry,
                 columns = check_page(from, g, k, at);
  const grid_page_rows rows = {g->length + p->row, p->before, n};
  if (!columns) return false;
  char *const val = d->lmat.by_row.val;
  if (val) grid_page_values(val + to * g->type->size, g, k, at, columns, 0, n);
  return grid_page_decode(d->lmat.by_row.idx + to, (const unsigned char *)at, &rows, g->cols);
}

/* Offsets and first neighbors of the window's rows; idx points to its first entry. */
static void make_rows(const grid_pages *g, const grid_page_window *w, const uint32_t *idx,
                      grid_compressed *c) {
  const uint32_t *length = grid_pages_lengths(g) + w->first;
  uint64_t at = 0;
  memset(c->nonempty, 0, grid_words(w->n) * sizeof *c->nonempty);
  for (uint64_t r = 0; r < w->n; r++) {
    const uint64_t in_row = grid_page_row_entries(w, length, r, at);
    c->ptr[r] = (uint32_t)at;
    c->hub_neighbor[r] = in_row ? idx[at] : 0;
    c->nonempty[r >> 6] |= (uint64_t)(in_row > 0) << (r & 63);
    at += in_row;
  }
  c->ptr[w->n] = (uint32_t)at;
}

/* Decodes pages a .. b of a slot; returns the first damaged one, or b. */
static uint64_t decode_pages(grid_page_decoder *d, const grid_page_slot *from, uint64_t a, uint64_t b) {
  uint64_t bad = b;
  if (d->is_parallel) {
    for (uint64_t k = a; k < b && bad == b; k++)
      if (!decode_page(d, from, a, k)) bad = k;
    return bad;
  }
#pragma omp parallel for schedule(dynamic, 4) reduction(min : bad)
  for (uint64_t k = a; k < b; k++)
    if (!decode_page(d, from, a, k) && k < bad) bad = k;
  return bad;
}

static void cache_pages(const grid_page_decoder *d, const grid_page_slot *from, uint64_t a, uint64_t b) {
  for (uint64_t k = a; k < b && !from->pages.cached; k++)
    grid_page_cache_add(d->g, k, bytes_of_page(d->g, from, k), d->cache_limit);
}

/* Passes pages a .. b of a slot to the visitor as a local matrix. */
static GrB_Info use_pages(grid_page_decoder *d, const grid_page_slot *from, uint64_t a, uint64_t b) {
  grid_pages *g = d->g;
  const grid_page_window w = make_window(g, from->x, a, b);
  GrB_Info info = allocate_buffers(d, &w, g->page[b].entry - g->page[a].entry);
  if (info != GrB_SUCCESS) return info;
  const uint64_t bad = decode_pages(d, from, a, b);
  if (bad != b) return grid_pages_fail_damaged(g, bad);
  cache_pages(d, from, a, b);
  if (!w.entries) return GrB_SUCCESS;
  grid_local_matrix lmat = d->lmat;
  grid_compressed *c = &lmat.by_row;
  make_rows(g, &w, c->idx + w.skip, c);
  c->idx += w.skip;
  if (c->val) c->val = (char *)c->val + w.skip * g->type->size;
  lmat.row = (grid_axis){.dim = w.n, .n = w.n};
  lmat.col = (grid_axis){.dim = g->cols, .n = g->cols};
  lmat.nvals = w.entries;
  lmat.iso = g->one != NULL;
  lmat.iso_val = g->one;
  return d->visit(d->context, &lmat, w.first);
}

/* ---- for visitors that decode ---- */

static GrB_Info allocate_list(grid_page_decoder *d, uint64_t pages) {
  if (pages <= d->pages_capacity) return GrB_SUCCESS;
  grid_free(d->bytes);
  grid_free(d->columns);
  d->pages_capacity = 0;
  d->bytes = grid_malloc(pages, sizeof *d->bytes);
  d->columns = grid_malloc(pages, sizeof *d->columns);
  if (!d->bytes || !d->columns) return grid_fail_memory(NULL, "a list of pages", pages, sizeof *d->columns);
  d->pages_capacity = pages;
  return GrB_SUCCESS;
}

/* Checks pages a .. b of a slot and passes them to the visitor. */
static GrB_Info pass_pages(grid_page_decoder *d, const grid_page_slot *from, uint64_t a, uint64_t b) {
  grid_pages *g = d->g;
  uint64_t bad = b;
  const GrB_Info info = allocate_list(d, b - a);
  if (info != GrB_SUCCESS) return info;
#pragma omp parallel for schedule(dynamic, 4) reduction(min : bad)
  for (uint64_t k = a; k < b; k++) {
    const char *at = d->bytes[k - a] = bytes_of_page(g, from, k);
    d->columns[k - a] = check_page(from, g, k, at);
    if (!d->columns[k - a] && k < bad) bad = k;
  }
  if (bad != b) return grid_pages_fail_damaged(g, bad);
  cache_pages(d, from, a, b);
  const grid_coded_rows rows = {.g = g,
                                .w = make_window(g, from->x, a, b),
                                .page = a,
                                .pages = b - a,
                                .bytes = d->bytes,
                                .columns = d->columns};
  return rows.w.entries ? d->visit_coded(d->context, &rows) : GrB_SUCCESS;
}

void grid_page_decoder_free(grid_page_decoder *d) {
  grid_compressed_free(&d->lmat.by_row, grid_free);
  grid_free(d->bytes);
  grid_free(d->columns);
}

/* ---- a slot ---- */

GrB_Info grid_page_slot_use(grid_page_decoder *d, grid_page_slot *from) {
  grid_pages *g = d->g;
  const grid_page_run r = from->pages;
  GrB_Info info = GrB_SUCCESS;
  if (!r.cached) grid_read_wait(d->reads, &from->read);
  if (from->read.error == ENODATA)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: became shorter while it was read", g->path);
  if (from->read.error)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: cannot read: %s", g->path, strerror(from->read.error));
  if (!r.cached) __atomic_fetch_add(&g->read, g->page[r.b].at - g->page[r.a].at, __ATOMIC_RELAXED);
  for (uint64_t a = r.a, b; a < r.b && info == GrB_SUCCESS; a = b) {
    for (b = a + 1; b < r.b; b++)
      if (d->is_parallel && g->page[b + 1].entry - g->page[a].entry > ENTRIES_PER_THREAD) break;
    info = (d->visit_coded ? pass_pages : use_pages)(d, from, a, b);
  }
  return info;
}
