/* Encodes rows as pages. */
#include <string.h>

#include "dist/outofcore/pages/row_pages.h"
#include "semiring/support/mem.h"
#include "semiring/support/tuning.h"
#include "spmat/convert/checksum.h"
#include "spmat/convert/page_code.h"

/* Rows whose lengths stand together. */
enum { BLOCK_ROWS = 4096 };

void grid_coded_pages_free(grid_coded_pages *m) {
  grid_free(m->page);
  grid_free(m->block);
  grid_free(m->data);
  grid_free(m->lengths);
  *m = (grid_coded_pages){0};
}

/* Encodes pages in parallel with space between them, then compacts. */
static void make_pages(grid_coded_pages *m, const grid_page_rows *rows, uint64_t apart, const uint32_t *idx,
                       const char *val, size_t size) {
#pragma omp parallel for schedule(static)
  for (uint64_t k = 0; k < m->pages; k++) {
    grid_page_row *p = &m->page[k];
    unsigned char *to = m->data + k * apart;
    const uint64_t columns = grid_page_encode(to, idx + p->entry, &rows[k]), values = rows[k].n * size,
                   all = (columns + values + 7) / 8 * 8;
    if (size) memcpy(to + columns, val + p->entry * size, values);
    memset(to + columns + values, 0, all - columns - values);
    p->checksum = grid_checksum((const char *)to, all, rows[k].n);
    p->at = all; /* temporarily the size, until offsets are known */
  }
  for (uint64_t k = 0; k < m->pages; k++) {
    const uint64_t bytes = m->page[k].at;
    memmove(m->data + m->data_bytes, m->data + k * apart, bytes);
    m->page[k].at = m->data_bytes;
    m->data_bytes += bytes;
  }
}

/* Sets each page's first entry and row. */
static void split_pages(grid_coded_pages *m, grid_page_rows *rows, const uint32_t *length) {
  uint64_t row = 0, end = 0; /* entries before `row` */
  for (uint64_t k = 0; k < m->pages; k++) {
    const uint64_t entry = k * grid_tune.page_entries;
    while (end + length[row] <= entry) end += length[row++];
    m->page[k].entry = entry;
    rows[k] = (grid_page_rows){
        .length = length + row,
        .before = entry - end,
        .n = m->nvals - entry < grid_tune.page_entries ? m->nvals - entry : grid_tune.page_entries};
  }
}

static void make_lengths(grid_coded_pages *m, const uint32_t *length) {
  uint64_t entry = 0;
  for (uint64_t k = 0; k < m->blocks; k++) {
    const uint64_t row = k * BLOCK_ROWS, n = m->rows - row < BLOCK_ROWS ? m->rows - row : BLOCK_ROWS,
                   bytes = grid_lengths_encode(m->lengths + m->lengths_bytes, length + row, n);
    m->block[k] = (grid_lengths_row){row, entry, m->lengths_bytes,
                                     grid_checksum((const char *)m->lengths + m->lengths_bytes, bytes, n)};
    m->lengths_bytes += bytes;
    for (uint64_t r = row; r < row + n; r++) entry += length[r];
  }
}

GrB_Info grid_pages_make(grid_coded_pages *m, const uint32_t *length, uint64_t rows, const uint32_t *idx,
                         const void *val, size_t size) {
  const uint64_t apart =
      grid_page_bound(grid_tune.page_entries) + (grid_tune.page_entries * size + 7) / 8 * 8;
  grid_page_rows *page_rows = NULL;
  GrB_Info info = GrB_SUCCESS;
  *m = (grid_coded_pages){.rows = rows};
  for (uint64_t r = 0; r < rows; r++) m->nvals += length[r];
  m->pages = (m->nvals + grid_tune.page_entries - 1) / grid_tune.page_entries;
  m->blocks = (rows + BLOCK_ROWS - 1) / BLOCK_ROWS;
  m->page = grid_malloc(m->pages + 1, sizeof *m->page);
  m->block = grid_malloc(m->blocks + 1, sizeof *m->block);
  m->data = grid_malloc(m->pages, apart);
  m->lengths = grid_malloc(m->blocks, grid_lengths_bound(BLOCK_ROWS));
  page_rows = grid_malloc(m->pages, sizeof *page_rows);
  if (m->page && m->block && m->data && m->lengths && page_rows) {
    split_pages(m, page_rows, length);
    make_pages(m, page_rows, apart, idx, val, size);
    m->page[m->pages] = (grid_page_row){m->nvals, m->data_bytes, 0};
    make_lengths(m, length);
    m->block[m->blocks] = (grid_lengths_row){rows, m->nvals, m->lengths_bytes, 0};
  } else {
    info = grid_fail_memory(NULL, "pages", m->pages, apart);
    grid_coded_pages_free(m);
  }
  grid_free(page_rows);
  return info;
}
