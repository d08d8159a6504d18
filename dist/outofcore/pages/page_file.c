/* Opens a page file: reads its tables and the lengths of this process's rows, but no pages. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "dist/outofcore/pages/residual_rows.h"
#include "dist/outofcore/pages/row_pages.h"
#include "semiring/support/mem.h"
#include "semiring/support/tuning.h"
#include "spmat/convert/checksum.h"
#include "spmat/convert/page_code.h"
#include "spmat/vector/segments.h"

static GrB_Info fail_io(const char *path, int error) {
  return grid_fail(NULL, GrB_INVALID_VALUE, "%s: cannot read: %s", path, strerror(error));
}

static GrB_Info fail_damaged(const char *path, const char *what) {
  return grid_fail(NULL, GrB_INVALID_VALUE, "%s: the page file is damaged: %s", path, what);
}

static GrB_Info read_at(const grid_store *s, const char *path, void *to, uint64_t n, uint64_t at) {
  const int error = grid_store_read(s, to, n, at);
  return !error             ? GrB_SUCCESS
         : error == ENODATA ? fail_damaged(path, "it ends too early")
                            : fail_io(path, error);
}

/* Opens the files at `path`, or `from`'s again if given. */
static GrB_Info open_store(grid_store *s, uint64_t *bytes, const char *path, const grid_store *from) {
  const char *name[GRID_STORE_MAX_FILES];
  size_t length[GRID_STORE_MAX_FILES];
  int which = 0, error = from ? grid_store_reopen(s, from) : ENOENT;
  if (error) error = grid_store_open(s, path, O_RDONLY, &which);
  if (error == E2BIG)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: a page file is striped over %d files at most", path,
                     GRID_STORE_MAX_FILES);
  if (error && grid_store_names(path, name, length) > 1)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%.*s: cannot open: %s", (int)length[which], name[which],
                     strerror(error));
  if (!error) error = grid_store_bytes(s, bytes);
  if (error == ENODATA)
    return grid_fail(NULL, GrB_INVALID_VALUE,
                     "%s: the lengths of these files do not fit each other: they are not all that were "
                     "written together, or not in that order",
                     path);
  if (error == ESPIPE) return grid_fail(NULL, GrB_INVALID_VALUE, "%s: is not a regular file", path);
  return error ? grid_fail(NULL, GrB_INVALID_VALUE, "%s: cannot open: %s", path, strerror(error))
               : GrB_SUCCESS;
}

static GrB_Info open_head(grid_store *s, grid_pages_head *h, const char *path, const grid_store *from) {
  uint64_t bytes;
  memset(h, 0, sizeof *h);
  GrB_Info info = open_store(s, &bytes, path, from);
  if (info == GrB_SUCCESS) info = read_at(s, path, h, bytes < sizeof *h ? bytes : sizeof *h, 0);
  return info == GrB_SUCCESS ? grid_pages_check_head(h, bytes, path) : info;
}

GrB_Info grid_pages_read_head(grid_pages_head *h, const char *path) {
  grid_store s = {0};
  GrB_Info info = open_head(&s, h, path, NULL);
  grid_store_close(&s);
  return info;
}

/* ---- tables ---- */

typedef struct {
  grid_pages_head head;
  void *tables;
  const grid_page_row *page;
  const grid_lengths_row *block;
} tables;

static GrB_Info read_tables(tables *t, const grid_store *s, const char *path) {
  const uint64_t bytes = grid_pages_table(&t->head);
  t->tables = grid_malloc(bytes, 1);
  if (!t->tables) return grid_fail_memory(NULL, "tables of pages", bytes, 1);
  t->page = t->tables;
  t->block = (const void *)(t->page + t->head.pages + 1);
  GrB_Info info = read_at(s, path, t->tables, bytes, grid_pages_head_bytes(&t->head));
  return info == GrB_SUCCESS ? grid_pages_check_tables(&t->head, t->tables, path) : info;
}

/* The last page that begins at `entry` or before. */
static uint64_t page_of(const tables *t, uint64_t entry) {
  return grid_segment_of(&t->page->entry, sizeof *t->page / sizeof entry, t->head.pages, entry);
}

/* Lengths of the rows in blocks b0 to b1; `first` is the first block's first row. */
typedef struct {
  uint64_t first, entry, n;
  uint32_t *length;
} lengths;

static GrB_Info read_lengths(lengths *l, const tables *t, uint64_t b0, uint64_t b1, const grid_store *s,
                             const char *path) {
  const grid_lengths_row *b = t->block;
  const uint64_t bytes = b[b1].at - b[b0].at;
  unsigned char *raw = grid_malloc(bytes, 1);
  bool bad = false;
  *l = (lengths){.first = b[b0].row, .entry = b[b0].entry, .n = b[b1].row - b[b0].row};
  l->length = grid_malloc(l->n, sizeof *l->length);
  GrB_Info info = raw && l->length ? read_at(s, path, raw, bytes, b[b0].at)
                                   : grid_fail_memory(NULL, "lengths of rows", l->n, 5);
  if (info == GrB_SUCCESS) {
#pragma omp parallel for schedule(static) reduction(|| : bad)
    for (uint64_t k = b0; k < b1; k++) {
      const unsigned char *from = raw + (b[k].at - b[b0].at);
      const uint64_t n = b[k + 1].row - b[k].row, size = b[k + 1].at - b[k].at;
      uint32_t *to = l->length + (b[k].row - l->first);
      uint64_t sum = 0;
      bool right = grid_checksum((const char *)from, size, n) == b[k].checksum &&
                   grid_lengths_decode(to, n, from, size);
      for (uint64_t r = 0; right && r < n; r++) sum += to[r];
      bad = bad || !right || sum != b[k + 1].entry - b[k].entry;
    }
    if (bad) info = fail_damaged(path, "the lengths of its rows");
  }
  grid_free(raw);
  return info;
}

/* The last block whose first row is `row` or less. */
static uint64_t block_of(const tables *t, uint64_t row) {
  return grid_segment_of(&t->block->row, sizeof *t->block / sizeof row, t->head.blocks, row);
}

/* ---- this process's rows ---- */

/* The blocks of all rows that have entries in the pages of rows first .. end: also those of other rows in
 * the first and last page. */
static void find_blocks(const tables *t, uint64_t first, uint64_t end, uint64_t *b0, uint64_t *b1) {
  *b0 = block_of(t, first);
  *b1 = block_of(t, end - 1) + 1;
  const uint64_t from = t->page[page_of(t, t->block[*b0].entry)].entry;
  while (*b0 > 0 && t->block[*b0].entry > from) (*b0)--;
  const uint64_t last = t->block[*b1].entry ? page_of(t, t->block[*b1].entry - 1) + 1 : 0;
  while (*b1 < t->head.blocks && t->block[*b1].entry < t->page[last].entry) (*b1)++;
}

/* Sets pages and rows of g, which has rows first .. first + g->rows of the whole; l has their lengths and
 * more. */
static GrB_Info load_pages(grid_pages *g, const tables *t, lengths *l, uint64_t first) {
  uint64_t row = 0, entry = l->entry;
  for (; row < first - l->first; row++) entry += l->length[row];
  g->first = g->end = entry;
  for (; row < first - l->first + g->rows; row++) g->end += l->length[row];
  const uint64_t p0 = g->end > g->first ? page_of(t, g->first) : 0,
                 p1 = g->end > g->first ? page_of(t, g->end - 1) + 1 : p0;
  g->pages = p1 - p0;
  g->page = grid_malloc(g->pages + 1, sizeof *g->page);
  if (!g->page) return grid_fail_memory(NULL, "pages", g->pages + 1, sizeof *g->page);
  row = 0, entry = l->entry;
  for (uint64_t k = 0; k <= g->pages; k++) {
    const grid_page_row *p = &t->page[p0 + k];
    /* behind the last entry there is no row */
    while (row < l->n && entry + l->length[row] <= p->entry && k < g->pages) entry += l->length[row++];
    g->page[k] = (grid_page){p->entry, p->at, p->checksum, row, p->entry - entry};
  }
  /* rows are counted from the first page's first row, or from the first local row if that is earlier */
  const uint64_t before = first - l->first,
                 cached = g->pages && g->page[0].row < before ? g->page[0].row : before;
  g->lead_rows = before - cached;
  for (uint64_t k = 0; k <= g->pages; k++) g->page[k].row -= cached;
  memmove(l->length, l->length + cached, (l->n - cached) * sizeof *l->length);
  g->length = l->length;
  g->lengths = l->n - cached;
  l->length = NULL;
  return GrB_SUCCESS;
}

static GrB_Info set_path(grid_pages *g, const grid_pages_head *h, const char *path) {
  static const bool true_value = true;
  const size_t capacity = strlen(path) + 1;
  g->path = grid_malloc(capacity, 1);
  g->type = h->flags & GRID_PAGES_VALUES ? GrB_FP64 : GrB_BOOL;
  if (g->type == GrB_BOOL) g->one = grid_malloc(1, sizeof true_value);
  if (!g->path || (g->type == GrB_BOOL && !g->one))
    return grid_fail_memory(NULL, "a file's name", capacity, 1);
  memcpy(g->path, path, capacity);
  if (g->one) memcpy(g->one, &true_value, sizeof true_value);
  return GrB_SUCCESS;
}

/* from: open files at path, which may have been unlinked; or NULL. */
static GrB_Info open_rows(grid_pages **made, const char *path, const grid_store *from, uint64_t first,
                          uint64_t rows) {
  tables t = {0};
  lengths l = {0};
  uint64_t b0, b1;
  GrB_Info info;
  grid_pages *g = grid_calloc(1, sizeof *g);
  *made = NULL;
  if (!g) return grid_fail_memory(NULL, "pages", 1, sizeof *g);
  g->whole = true;
  TRY(open_head(&g->store, &t.head, path, from));
  TRY(set_path(g, &t.head, path));
  g->rows = rows, g->cols = t.head.cols;
  TRY(read_tables(&t, &g->store, path));
  if (rows) {
    find_blocks(&t, first, first + rows, &b0, &b1);
    TRY(read_lengths(&l, &t, b0, b1, &g->store, path));
    TRY(load_pages(g, &t, &l, first));
  }
  grid_store_use_direct_io(&g->store);
  *made = g;
  g = NULL;
done:
  grid_free(t.tables);
  grid_free(l.length);
  grid_pages_free(g);
  return info;
}

GrB_Info grid_pages_open(grid_pages **made, const char *path, uint64_t first, uint64_t rows) {
  return open_rows(made, path, NULL, first, rows);
}

GrB_Info grid_pages_reopen(grid_pages **made, const grid_pages *g, uint64_t first, uint64_t rows) {
  return open_rows(made, g->path, &g->store, first, rows);
}

/* Copies n elements; NULL if from is NULL, or without memory. */
static void *copy_array(const void *from, uint64_t n, size_t size, bool *out_of_memory) {
  void *to = from ? grid_malloc(n, size) : NULL;
  if (to && n) memcpy(to, from, n * size);
  *out_of_memory = *out_of_memory || (from && !to);
  return to;
}

GrB_Info grid_pages_copy(grid_pages **copy, const grid_pages *g) {
  bool none = false;
  GrB_Info info = GrB_SUCCESS;
  grid_pages *to = *copy = grid_malloc(1, sizeof *to);
  if (!to) return grid_fail_memory(NULL, "pages", 1, sizeof *to);
  *to = *g;
  to->cached = NULL, to->found = NULL, to->cached_bytes = to->read = 0, to->next_cached = NULL;
  to->residual_rows = NULL, to->residual = NULL, to->residual_bytes = 0; /* residual rows stay with g */
  to->page_capacity = g->pages + 1;
  to->path = copy_array(g->path, strlen(g->path) + 1, 1, &none);
  to->one = copy_array(g->one, 1, g->type->size, &none);
  to->implied = copy_array(g->implied, 1, g->type->size, &none);
  to->page = copy_array(g->page, g->pages + 1, sizeof *g->page, &none);
  to->length = copy_array(g->length, g->lengths, sizeof *g->length, &none);
  const int error = grid_store_copy(&to->store, &g->store);
  if (none) info = grid_fail_memory(NULL, "pages", g->rows, sizeof *g->length);
  if (info == GrB_SUCCESS && error) info = fail_io(g->path, error);
  if (info == GrB_SUCCESS) return info;
  grid_pages_free(to);
  *copy = NULL;
  return info;
}

void grid_pages_free(grid_pages *g) {
  if (!g) return;
  grid_store_close(&g->store);
  grid_pages_drop_cache(g);
  grid_residual_free(g);
  grid_free(g->path);
  grid_free(g->one);
  grid_free(g->implied);
  grid_free(g->found);
  grid_free(g->page);
  grid_free(g->length);
  grid_free(g);
}

uint64_t grid_pages_in_memory(const grid_pages *g) {
  const uint64_t n = grid_pages_nvals(g);
  return n * (sizeof(uint32_t) + (g->one ? 0 : g->type->size)) +
         (g->rows + 1) * (n >= grid_tune.offsets64_from ? sizeof(uint64_t) : sizeof(uint32_t));
}
