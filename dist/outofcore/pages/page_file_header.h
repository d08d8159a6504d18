/* The header and tables of a page file (docs/formats.md). */
#ifndef GRID_PAGE_FILE_HEADER_H
#define GRID_PAGE_FILE_HEADER_H
#include <stddef.h>

#include "semiring/support/error.h"

/* All numbers are 64-bit, little-endian. The header is followed by the tables, `pages` + 1 of grid_page_row
 * and `blocks` + 1 of grid_lengths_row, then the lengths of all rows. Names of the vertices
 * may follow, or the lists of the non-empty rows and columns (vertex_names.h). The pages come last. Files are
 * written in version 4. */
enum { GRID_PAGES_MAGIC = 16, GRID_PAGES_ALIGNED = 4096 };
enum { GRID_PAGES_NAMED_VERSION = 2, GRID_PAGES_HYPERSPARSE_VERSION = 3, GRID_PAGES_VERSION = 4 };
extern const unsigned char grid_pages_magic[GRID_PAGES_MAGIC];
enum {
  GRID_PAGES_SYMMETRIC = 1,
  GRID_PAGES_NO_LOOPS = 2,
  GRID_PAGES_VALUES = 4,
  GRID_PAGES_NAMES = 8,    /* always set in version 2 */
  GRID_PAGES_NAMES64 = 16, /* names have 64 bits, not 32 */
  /* the pages number the non-empty rows and columns alone; always set in version 3 */
  GRID_PAGES_HYPERSPARSE = 32,
  GRID_PAGES_SKEW = 64 /* the entries (r, c) and (c, r) have opposite values; from version 4 on */
};

typedef struct {
  unsigned char magic[GRID_PAGES_MAGIC];
  uint64_t version;
  uint64_t nrows, ncols, nvals;
  uint64_t flags; /* VALUES: each entry has an FP64 value; else all are true */
  uint64_t pages, blocks;
  uint64_t lengths, data, bytes; /* offsets of the lengths and the pages; bytes of the file */
  uint64_t tables;               /* checksum of the tables */
  uint64_t checksum;             /* checksum of the members above */
  /* From version 3 on: rows and columns that the pages number; otherwise nrows and ncols. Checksum of the
   * members from here on. */
  uint64_t rows, cols, rest_checksum;
  /* From version 4 on: a grid_join; the number of tuples that the entries were joined from, each direction of
   * mirrored ones. Otherwise GRID_DUP_MIN, and 0: it is not known. */
  uint64_t dup, tuples;
} grid_pages_head;

/* Bytes of the header in the file. */
static inline uint64_t grid_pages_head_bytes(const grid_pages_head *h) {
  return h->version < GRID_PAGES_HYPERSPARSE_VERSION ? offsetof(grid_pages_head, rows)
         : h->version < GRID_PAGES_VERSION           ? offsetof(grid_pages_head, dup)
                                                     : sizeof *h;
}

/* A page's first entry, file offset and checksum; the last row of the table is the end. */
typedef struct {
  uint64_t entry, at, checksum;
} grid_page_row;
/* A block of lengths: its first row, that row's first entry, file offset, checksum. */
typedef struct {
  uint64_t row, entry, at, checksum;
} grid_lengths_row;

static inline uint64_t grid_pages_table(const grid_pages_head *h) {
  return (h->pages + 1) * sizeof(grid_page_row) + (h->blocks + 1) * sizeof(grid_lengths_row);
}
/* names per checksum */
enum { GRID_NAMES_PER_CHECKSUM = 4096 };
/* Bytes of a name, 0: there are none; number of names; bytes of all with their checksums. In place of names
 * a hypersparse file has lists: the numbers of the listed rows, then those of the columns, are stored as
 * names are. */
static inline uint64_t grid_pages_name_size(const grid_pages_head *h) {
  if (h->flags & GRID_PAGES_HYPERSPARSE) return 8;
  return !(h->flags & GRID_PAGES_NAMES) ? 0 : h->flags & GRID_PAGES_NAMES64 ? 8 : 4;
}
static inline uint64_t grid_pages_name_count(const grid_pages_head *h) {
  return h->flags & GRID_PAGES_HYPERSPARSE ? h->rows + h->cols : h->nrows;
}
static inline uint64_t grid_pages_names(const grid_pages_head *h) {
  const uint64_t size = grid_pages_name_size(h), n = grid_pages_name_count(h),
                 blocks = (n + GRID_NAMES_PER_CHECKSUM - 1) / GRID_NAMES_PER_CHECKSUM;
  return size ? (n * size + 7) / 8 * 8 + blocks * sizeof(uint64_t) : 0;
}
/* Sets magic and checksums. */
void grid_pages_seal(grid_pages_head *h);
/* Checks the header of a file of `bytes` bytes, and sets what its version lacks; returns an error with text.
 */
GrB_Info grid_pages_check_head(grid_pages_head *h, uint64_t bytes, const char *path);
/* Checks the tables' checksum and consistency; returns an error with text. */
GrB_Info grid_pages_check_tables(const grid_pages_head *h, const void *tables, const char *path);
#endif
