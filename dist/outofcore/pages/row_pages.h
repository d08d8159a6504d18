/* A matrix's rows in pages on disk (docs/design.md, "Pages"): what one process sees of them, and how they go
 * through memory. All of it is local. */
#ifndef GRID_ROW_PAGES_H
#define GRID_ROW_PAGES_H
#include "dist/outofcore/pages/page_file_header.h"
#include "dist/outofcore/file/striped_file.h"
#include "spmat/matrix/local_matrix.h"

/* A page: entries entry .. page[1].entry of all rows' entries, at `at` in the file; the first is in that row
 * of `length`, with so many of the row's entries before it. */
typedef struct {
  uint64_t entry, at, checksum;
  uint64_t row, before;
} grid_page;

typedef struct grid_pages {
  char *path;
  grid_store store;
  bool whole;             /* the file has the rows of all processes */
  bool is_single_pass;    /* it is gone through once: none of it stays in memory */
  uint64_t rows, cols;    /* this process's rows, and all columns, or those of its block */
  GrB_Type type;          /* of the values; */
  void *one;              /* ... one for all, or NULL: they stand in the pages, */
  void *implied;          /* ... but of those that were made without: this one, or NULL */
  uint64_t pages;         /* which hold its entries */
  grid_page *page;        /* pages + 1 */
  uint64_t page_capacity; /* while pages are made */
  uint64_t first, end;    /* its entries among those of all */
  uint64_t lead_rows;     /* rows before its own that the first page holds */
  uint32_t *length;       /* of rows, from the first page's first one on: */
  uint64_t lengths;       /* ... so many, to the last page's last one */
  uint64_t read;          /* bytes so far */
  void *found;            /* the value that was looked up last, or NULL */
  /* pages that stay in memory as they are in the file, once they have been read, while there is room; NULL:
   * none, and of a page: not this one */
  char **cached;
  uint64_t cached_bytes;
  struct grid_pages *next_cached;
  /* rows that searches left open (residual_rows.h): bits of those that are kept, NULL where none may be */
  uint64_t *residual_rows, residual_bytes;
  struct grid_residual *residual;
} grid_pages;

/* ---- page_file.c ---- */

/* The head of the file at `path`. Errors are worded. */
GrB_Info grid_pages_read_head(grid_pages_head *h, const char *path);
/* *made = the `rows` rows of it from `first` on, once its tables have been read. */
GrB_Info grid_pages_open(grid_pages **made, const char *path, uint64_t first, uint64_t rows);
/* The same of the file that g has, which may have lost its name since, where it is of all processes. */
GrB_Info grid_pages_reopen(grid_pages **made, const grid_pages *g, uint64_t first, uint64_t rows);
void grid_pages_free(grid_pages *g);
/* Entries of this process, and the bytes of their pages. */
static inline uint64_t grid_pages_nvals(const grid_pages *g) {
  return g->end - g->first;
}
static inline uint64_t grid_pages_bytes(const grid_pages *g) {
  return g->pages ? g->page[g->pages].at - g->page[0].at : 0;
}
/* ... that they would take in memory. */
uint64_t grid_pages_in_memory(const grid_pages *g);
/* Own rows' lengths. */
static inline const uint32_t *grid_pages_lengths(const grid_pages *g) {
  return g->length + g->lead_rows;
}

/* ---- page_stream.c ---- */

/* Consecutive pages are brought to memory, and `visit` gets them as a part by row with heads: row 0 is row
 * `first` of the process's, a multiple of 64; columns are all there. Rows that have entries in pages before
 * or after have those alone that are in these. Those of the pages that are `wanted` (NULL: all), and what
 * lies between them where it costs less than to leave it out. Stops at the first error. */
typedef GrB_Info grid_pages_visit(void *context, const grid_local_matrix *rows, uint64_t first);
GrB_Info grid_pages_stream(grid_pages *g, const uint64_t *wanted, grid_pages_visit *visit, void *context);
/* The same with the pages that hold entries of the process's rows first .. end; rows beside these come along.
 */
GrB_Info grid_pages_stream_rows(grid_pages *g, uint64_t first, uint64_t end, grid_pages_visit *visit,
                                void *context);
/* The same, but `visit` is called by several threads, one stretch of rows each, which may have no parallel
 * region: of any word of 64 rows one has all, and in order. */
GrB_Info grid_pages_stream_parallel(grid_pages *g, const uint64_t *wanted, grid_pages_visit *visit,
                                    void *context);

/* ---- page_cache.c ---- */

/* Those that stay in memory go. */
void grid_pages_drop_cache(grid_pages *g);
/* Bytes of all that stay, of whatever matrix; at least so many of them go, those used longest ago first. */
uint64_t grid_pages_cached_bytes(void);
void grid_pages_evict(uint64_t bytes);

/* ---- load_rows.c ---- */

/* Marks the pages that hold entries of rows first .. end. */
void grid_pages_mark_rows(uint64_t *wanted, const grid_pages *g, uint64_t first, uint64_t end);
/* p, empty, of the values' type and with its dimensions, gets the entries of rows first .. end, at their
 * places. Local; on failure p is empty. */
GrB_Info grid_pages_read_rows(grid_local_matrix *p, grid_pages *g, uint64_t first, uint64_t end);

/* *value: that of entry (row, col), there until the next call, or NULL. Local. */
GrB_Info grid_pages_find(grid_pages *g, uint64_t row, uint64_t col, const void **value);
/* *copy: the same pages, of the same file, once more: pages never change. Local. */
GrB_Info grid_pages_copy(grid_pages **copy, const grid_pages *g);

/* ---- temporary_pages.c ---- */

/* *made = pages of so many rows, which have no entries yet, in files without names: in the folders that
 * GRIDBLAS_PAGES_FOLDERS names, or those that have the file, or files, `beside`. Local. */
GrB_Info grid_pages_new(grid_pages **made, const char *origin, GrB_Type type, uint64_t rows, uint64_t cols);
/* Rows from `row` on, behind all that have entries, get those of rows from .. end of p, which is by row, of
 * that type, has no others, and lists no vectors of an axis. After an error they can only be freed. */
GrB_Info grid_pages_append(grid_pages *g, uint64_t row, const grid_local_matrix *p, uint64_t from,
                           uint64_t end);
/* There are no more. */
void grid_pages_complete(grid_pages *g);

/* ---- encode_pages.c ---- */

/* Rows of one process, coded. */
typedef struct {
  uint64_t pages, blocks, nvals, rows;
  grid_page_row *page;     /* at: within data */
  grid_lengths_row *block; /* at: within lengths */
  unsigned char *data, *lengths;
  uint64_t data_bytes, lengths_bytes;
} grid_coded_pages;
/* val: of `size` bytes each, or NULL. */
GrB_Info grid_pages_make(grid_coded_pages *m, const uint32_t *length, uint64_t rows, const uint32_t *idx,
                         const void *val, size_t size);
void grid_coded_pages_free(grid_coded_pages *m);
#endif
