/* Fuzzing of page files: any bytes are opened as one, unchanged and with corrected checksums, which random
 * bytes never have. They are opened by one process, and by the first and the last of several. Either they are
 * refused with a message, or their contents are consistent: rows have as many entries as their lengths,
 * columns ascend below the width, and each entry is found. A libFuzzer target; with GRID_FUZZ_MAIN a program
 * that replays the files it is given. */
#include <string.h>
#include "dist/outofcore/pages/row_pages.h"
#include "dist/outofcore/pages/vertex_names.h"
#include "semiring/support/mem.h"
#include "semiring/support/tuning.h"
#include "spmat/convert/checksum.h"
#include "tests/fuzz_main.h"

/* Checksums of all regions that the tables name inside the file, of the tables, and of the header. */
static void reseal(uint8_t *data, size_t size) {
  grid_pages_head h;
  if (size < sizeof h) return;
  memcpy(&h, data, sizeof h);
  h.bytes = size;
  const uint64_t head = grid_pages_head_bytes(&h), capacity = (size - head) / 8;
  if (h.pages < capacity / 3 && h.blocks < capacity / 4 && grid_pages_table(&h) <= size - head) {
    grid_page_row *page = (void *)(data + head);
    grid_lengths_row *block = (void *)(page + h.pages + 1);
    for (uint64_t k = 0; k < h.pages; k++)
      if (page[k].at % 8 == 0 && page[k].at <= page[k + 1].at && page[k + 1].at <= size)
        page[k].checksum =
            grid_checksum((const char *)data + page[k].at, (page[k + 1].at - page[k].at) / 8 * 8,
                          page[k + 1].entry - page[k].entry);
    for (uint64_t k = 0; k < h.blocks; k++)
      if (block[k].at % 8 == 0 && block[k].at <= block[k + 1].at && block[k + 1].at <= size)
        block[k].checksum =
            grid_checksum((const char *)data + block[k].at, (block[k + 1].at - block[k].at) / 8 * 8,
                          block[k + 1].row - block[k].row);
    h.tables = grid_checksum((const char *)data + head, grid_pages_table(&h), h.pages);
  }
  grid_pages_seal(&h);
  memcpy(data, &h, grid_pages_head_bytes(&h));
}

typedef struct {
  grid_pages *g;
  uint64_t entries, row, col; /* so far; of the last one */
} looking;

static GrB_Info look(void *context, const grid_local_matrix *rows, uint64_t first) {
  looking *l = context;
  const grid_compressed *c = &rows->by_row;
  must(first % 64 == 0 && first + rows->row.n <= l->g->rows && c->ptr[rows->row.n] == rows->nvals, "rows");
  for (uint64_t r = 0; r < rows->row.n; r++)
    for (uint64_t e = c->ptr[r]; e < c->ptr[r + 1]; e++) {
      must(c->idx[e] < l->g->cols && (e == c->ptr[r] || c->idx[e - 1] < c->idx[e]), "a column");
      l->row = first + r, l->col = c->idx[e];
    }
  l->entries += rows->nvals;
  return GrB_SUCCESS;
}

static void outcome(GrB_Info info) {
  must(info == GrB_SUCCESS || info == GrB_INVALID_VALUE || info == GrB_OUT_OF_MEMORY, "outcome");
  must(info == GrB_SUCCESS || (strlen(Grid_last_error()) < 400 && Grid_last_error()[0]), "message");
}

static void check_rows(const char *path, uint64_t first, uint64_t rows) {
  const void *value;
  grid_pages *g;
  uint64_t n = 0;
  GrB_Info info = grid_pages_open(&g, path, first, rows);
  outcome(info);
  if (info != GrB_SUCCESS) return;
  looking l = {.g = g};
  for (uint64_t r = 0; r < g->rows; r++) n += grid_pages_lengths(g)[r];
  must(n == grid_pages_nvals(g), "lengths");
  info = grid_pages_stream(g, NULL, look, &l);
  outcome(info);
  if (info == GrB_SUCCESS) {
    must(l.entries == n, "entries");
    must(!n || (grid_pages_find(g, l.row, l.col, &value) == GrB_SUCCESS && value), "an entry is not found");
  }
  grid_pages_free(g);
}

static void check_list(const char *path, const grid_pages_head *h, bool rows) {
  const uint64_t n = rows ? h->rows : h->cols;
  uint64_t *id;
  const GrB_Info info = grid_pages_read_list(&id, h, path, rows, 0, n);
  outcome(info);
  for (uint64_t k = 0; k < n && info == GrB_SUCCESS; k++)
    must(id[k] < (rows ? h->nrows : h->ncols) && (k == 0 || id[k] > id[k - 1]), "a list");
  grid_free(id);
}

static void check_file(const uint8_t *data, size_t size) {
  const char *path = fuzz_file(data, size);
  Grid_threads(1);
  grid_tune.page_read_bytes = 64;
  const int64_t live = grid_mem_live();
  grid_pages_head h;
  const GrB_Info info = grid_pages_read_head(&h, path);
  outcome(info);
  if (info == GrB_SUCCESS) {
    const uint64_t part = h.rows / 3 / 64 * 64;
    check_rows(path, 0, h.rows);
    if (part) check_rows(path, 0, part);
    check_rows(path, part, h.rows - part);
    for (int rows = 0; rows < 2 && h.flags & GRID_PAGES_HYPERSPARSE; rows++) check_list(path, &h, rows);
  }
  must(grid_mem_live() == live, "a block of memory is lost");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > 1 << 20) return 0;
  uint8_t *copy = malloc(size + 1);
  must(copy != NULL, "malloc");
  memcpy(copy, data, size);
  check_file(copy, size);
  reseal(copy, size);
  check_file(copy, size);
  free(copy);
  return 0;
}
