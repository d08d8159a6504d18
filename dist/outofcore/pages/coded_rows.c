/* Pages as they are in the file, copied for a device that decodes them (row_pages.h). */
#include <string.h>

#include "dist/outofcore/pages/page_decode.h"

void grid_coded_rows_offsets(const grid_coded_rows *rows, uint32_t *to) {
  const grid_page_window *w = &rows->w;
  const uint32_t *length = grid_pages_lengths(rows->g) + w->first;
  uint64_t at = 0;
  for (uint64_t r = 0; r < w->n; r++) {
    to[r] = (uint32_t)at;
    at += grid_page_row_entries(w, length, r, at);
  }
  to[w->n] = (uint32_t)at;
}

uint64_t grid_coded_rows_bytes(const grid_coded_rows *rows) {
  uint64_t sum = 0;
  for (uint64_t k = 0; k < rows->pages; k++) sum += rows->columns[k];
  return sum;
}

/* The values of those of page k's entries that are the rows'. */
static void copy_values(const grid_coded_rows *rows, uint64_t k, uint64_t entry, uint64_t n, char *val) {
  const grid_page_window *w = &rows->w;
  const uint64_t from = entry < w->skip ? w->skip : entry, last = w->skip + w->entries,
                 to = entry + n < last ? entry + n : last;
  if (from < to)
    grid_page_values(val + (from - w->skip) * rows->g->type->size, rows->g, rows->page + k, rows->bytes[k],
                     rows->columns[k], from - entry, to - from);
}

void grid_coded_rows_copy(const grid_coded_rows *rows, grid_coded_page *page, char *codes, char *val) {
  const grid_page *of = &rows->g->page[rows->page];
  const bool values = !rows->g->one;
  uint64_t at = 0;
  for (uint64_t k = 0; k < rows->pages; at += rows->columns[k++])
    page[k] = (grid_coded_page){at, of[k].entry - of->entry};
  page[rows->pages] = (grid_coded_page){at, of[rows->pages].entry - of->entry};
#pragma omp parallel for schedule(static)
  for (uint64_t k = 0; k < rows->pages; k++) {
    memcpy(codes + page[k].at, rows->bytes[k], rows->columns[k]);
    if (values) copy_values(rows, k, page[k].entry, page[k + 1].entry - page[k].entry, val);
  }
}
