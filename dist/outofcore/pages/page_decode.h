/* Pages that were read (page_stream.c), decoded and passed to a visitor as local matrices. */
#ifndef GRID_PAGE_DECODE_H
#define GRID_PAGE_DECODE_H
#include "dist/outofcore/file/async_read.h"
#include "dist/outofcore/pages/row_pages.h"

/* A range of the process's rows, starting at a multiple of 64, the pages that hold their entries, and
 * those entries. */
typedef struct {
  uint64_t row, end;
  uint64_t a, b;
  uint64_t first, last;
} grid_page_range;

/* Pages a .. b, all cached or none. */
typedef struct {
  uint64_t a, b;
  bool cached;
} grid_page_run;

/* A run in flight, or in use. */
typedef struct {
  grid_read read; /* its buffer has `bytes` bytes; 0: cached, no buffer */
  grid_page_run pages;
  const grid_page_range *x; /* the range that its pages belong to */
} grid_page_slot;

/* What a thread decodes with. */
typedef struct {
  grid_pages *g;
  uint64_t cache_limit; /* grid_page_cache_begin */
  bool is_parallel;     /* each thread has row ranges of its own */
  grid_pages_visit *visit;
  grid_pages_visit_coded *visit_coded; /* instead, unless NULL */
  void *context;
  grid_reads *reads;
  grid_local_matrix lmat; /* decoded pages */
  uint64_t rows_capacity, entries_capacity;
  /* of the pages of a run, for visit_coded */
  const char **bytes;
  uint64_t *columns, pages_capacity;
} grid_page_decoder;
void grid_page_decoder_free(grid_page_decoder *d);
/* Waits for a slot's pages and uses them, all together or in portions. */
GrB_Info grid_page_slot_use(grid_page_decoder *d, grid_page_slot *from);
/* Row r of the window's has so many of its entries, of which `at` are in rows before it. length: of the
 * window's rows. */
static inline uint64_t grid_page_row_entries(const grid_page_window *w, const uint32_t *length, uint64_t r,
                                             uint64_t at) {
  const uint64_t n = r + w->first < w->row ? 0 : length[r] - (r + w->first == w->row ? w->before : 0);
  return n < w->entries - at ? n : w->entries - at;
}
/* to = the values, stored or implied, of n entries, from number e on, of page k, at `bytes`, whose columns
 * take that many of them. */
void grid_page_values(char *to, const grid_pages *g, uint64_t k, const char *bytes, uint64_t columns,
                      uint64_t e, uint64_t n);
#endif
