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
  uint64_t max_cached; /* bytes of pages that may be cached */
  bool is_parallel;    /* each thread has row ranges of its own */
  grid_pages_visit *visit;
  void *context;
  grid_reads *reads;
  grid_local_matrix lmat; /* decoded pages */
  uint64_t rows_capacity, entries_capacity;
} grid_page_decoder;
/* Waits for a slot's pages and uses them, all together or in portions. */
GrB_Info grid_page_slot_use(grid_page_decoder *d, grid_page_slot *from);
#endif
