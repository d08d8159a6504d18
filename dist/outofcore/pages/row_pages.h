/* A matrix's rows in pages on disk (docs/how/outofcore.md): one process's view, and streaming. All
 * functions are local. */
#ifndef GRID_ROW_PAGES_H
#define GRID_ROW_PAGES_H
#include "dist/outofcore/pages/page_file_header.h"
#include "dist/outofcore/file/striped_file.h"
#include "spmat/convert/lmat_pages.h"
#include "spmat/matrix/local_matrix.h"

/* A page: entries entry .. page[1].entry of all rows, at offset `at` in the file; the first is in row
 * `row` of `length`, after `before` entries of that row. */
typedef struct {
  uint64_t entry, at, checksum;
  uint64_t row, before;
} grid_page;

typedef struct grid_pages {
  char *path;
  grid_store store;
  bool whole;             /* the file has the rows of all processes */
  bool is_single_pass;    /* read once only: nothing is cached */
  uint64_t rows, cols;    /* this process's rows; all columns, or those of its block */
  GrB_Type type;          /* of the values */
  void *one;              /* the value of all entries, or NULL: values are in the pages */
  void *implied;          /* the value of entries in pages without values, or NULL */
  uint64_t pages;         /* pages with this process's entries */
  grid_page *page;        /* pages + 1 elements */
  uint64_t page_capacity; /* while pages are appended */
  uint64_t first, end;    /* range of its entries among all */
  uint64_t lead_rows;     /* preceding rows with entries in the first page */
  uint32_t *length;       /* row lengths, from the first page's first row on */
  uint64_t lengths;       /* number of lengths, up to the last page's last row */
  uint64_t read;          /* bytes read so far */
  void *found;            /* result of the last grid_pages_find, or NULL */
  /* cached pages, as in the file; NULL: none; cached[k] NULL: page k is not cached */
  char **cached;
  uint64_t cached_bytes;
  struct grid_pages *next_cached;
  /* residual rows (residual_rows.h): bitmap of the cached ones, NULL where none can be */
  uint64_t *residual_rows, residual_bytes;
  struct grid_residual *residual;
} grid_pages;

/* ---- page_file.c ---- */

/* Reads the header of the file at `path`. Returns an error with text. */
GrB_Info grid_pages_read_head(grid_pages_head *h, const char *path);
/* Opens rows first .. first + rows of the file: reads its tables. */
GrB_Info grid_pages_open(grid_pages **made, const char *path, uint64_t first, uint64_t rows);
/* The same for g's file, of all processes, which may have been unlinked. */
GrB_Info grid_pages_reopen(grid_pages **made, const grid_pages *g, uint64_t first, uint64_t rows);
void grid_pages_free(grid_pages *g);
/* Number of this process's entries, and bytes of their pages. */
static inline uint64_t grid_pages_nvals(const grid_pages *g) {
  return g->end - g->first;
}
static inline uint64_t grid_pages_bytes(const grid_pages *g) {
  return g->pages ? g->page[g->pages].at - g->page[0].at : 0;
}
/* Bytes of the same rows in memory. */
uint64_t grid_pages_in_memory(const grid_pages *g);
/* Lengths of this process's rows. */
static inline const uint32_t *grid_pages_lengths(const grid_pages *g) {
  return g->length + g->lead_rows;
}

/* ---- page_stream.c ---- */

/* Reads consecutive pages and passes them to `visit` as local matrices by row with first neighbors. Row 0 is
 * row `first` of the process, a multiple of 64; all columns are present. Rows that span pages are passed in
 * several portions. wanted: bitmap of the pages to read (NULL: all); gaps are read along where that is
 * faster. Stops at the first error. */
typedef GrB_Info grid_pages_visit(void *context, const grid_local_matrix *rows, uint64_t first);
GrB_Info grid_pages_stream(grid_pages *g, const uint64_t *wanted, grid_pages_visit *visit, void *context);
/* The same for the pages with entries of the process's rows first .. end; `visit` also gets adjacent rows. */
GrB_Info grid_pages_stream_rows(grid_pages *g, uint64_t first, uint64_t end, grid_pages_visit *visit,
                                void *context);
/* The same, but `visit` is called by several threads, each with its own row range, in order, and must not
 * open a parallel region. Each word of 64 rows belongs to one thread. */
GrB_Info grid_pages_stream_parallel(grid_pages *g, const uint64_t *wanted, grid_pages_visit *visit,
                                    void *context);

/* The process's rows first .. first + n. Of the entries of some pages, `skip` precede those of these rows,
 * which are `entries` and start in row `row`, after `before` of its own. */
typedef struct {
  uint64_t first, n, row, before, skip, entries;
} grid_page_window;
/* The pages page .. page + pages as they are in the file. Their checksums are right, their columns complete.
 */
typedef struct {
  const grid_pages *g;
  grid_page_window w;
  uint64_t page, pages;
  const char *const *bytes; /* of each page; */
  const uint64_t *columns;  /* so many of them are columns: the values are behind */
} grid_coded_rows;
/* As grid_pages_stream, for a visitor that decodes. It makes sure that columns ascend below g->cols. */
typedef GrB_Info grid_pages_visit_coded(void *context, const grid_coded_rows *rows);
GrB_Info grid_pages_stream_coded(grid_pages *g, const uint64_t *wanted, grid_pages_visit_coded *visit,
                                 void *context);
/* The error of a damaged page, with a message. */
GrB_Info grid_pages_fail_damaged(const grid_pages *g, uint64_t page);

/* ---- coded_rows.c ---- */

/* to[0 .. n]: where the entries of each row begin among those of all. */
void grid_coded_rows_offsets(const grid_coded_rows *rows, uint32_t *to);
/* Bytes of all columns. */
uint64_t grid_coded_rows_bytes(const grid_coded_rows *rows);
/* Entries of the pages, and where they begin in `codes`, which gets the columns; the last element has the
 * ends. val, unless all values are one, gets the values of the rows' entries. */
void grid_coded_rows_copy(const grid_coded_rows *rows, grid_coded_page *page, char *codes, char *val);

/* ---- page_cache.c ---- */

/* Drops all cached pages of g. */
void grid_pages_drop_cache(grid_pages *g);
/* Bytes of cached pages of the context's matrices; evicts at least so many bytes, least recently used first.
 */
uint64_t grid_pages_cached_bytes(void);
void grid_pages_evict(uint64_t bytes);
/* At the end of a context: evicts all; no other context shares with it. */
void grid_page_cache_close(void);

/* ---- load_rows.c ---- */

/* Marks the pages that hold entries of rows first .. end. */
void grid_pages_mark_rows(uint64_t *wanted, const grid_pages *g, uint64_t first, uint64_t end);
/* p, empty, of the values' type and with its dimensions, gets the entries of rows first .. end, unshifted.
 * Local; on failure p is empty. */
GrB_Info grid_pages_read_rows(grid_local_matrix *p, grid_pages *g, uint64_t first, uint64_t end);

/* *value: that of entry (row, col), valid until the next call, or NULL. Local. */
GrB_Info grid_pages_find(grid_pages *g, uint64_t row, uint64_t col, const void **value);
/* *copy: another handle of the same file, whose pages never change. Local. */
GrB_Info grid_pages_copy(grid_pages **copy, const grid_pages *g);

/* ---- temporary_pages.c ---- */

/* *made = an empty page file for so many rows, in unlinked files in the folders of GRIDBLAS_PAGES_FOLDERS,
 * or those of the files of `origin`. Local. */
GrB_Info grid_pages_new(grid_pages **made, const char *origin, GrB_Type type, uint64_t rows, uint64_t cols);
/* Has GRIDBLAS_PAGES_FOLDERS a folder? */
bool grid_pages_have_folders(void);
/* Appends rows from .. end of p as the rows from `row` on, behind all rows with entries. p is by row, of
 * the same type, has no other entries, and is not hypersparse. After an error the file can only be freed. */
GrB_Info grid_pages_append(grid_pages *g, uint64_t row, const grid_local_matrix *p, uint64_t from,
                           uint64_t end);
/* Ends appending. */
void grid_pages_complete(grid_pages *g);

/* ---- encode_pages.c ---- */

/* Encoded rows of one process. */
typedef struct {
  uint64_t pages, blocks, nvals, rows;
  grid_page_row *page;     /* offsets within data */
  grid_lengths_row *block; /* offsets within lengths */
  unsigned char *data, *lengths;
  uint64_t data_bytes, lengths_bytes;
} grid_coded_pages;
/* val: of `size` bytes each, or NULL. */
GrB_Info grid_pages_make(grid_coded_pages *m, const uint32_t *length, uint64_t rows, const uint32_t *idx,
                         const void *val, size_t size);
void grid_coded_pages_free(grid_coded_pages *m);
#endif
