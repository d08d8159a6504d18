/* What stands in front of a file of pages, and tells where all else is (docs/formats.md). */
#ifndef GRID_PAGE_FILE_HEADER_H
#define GRID_PAGE_FILE_HEADER_H
#include "semiring/support/error.h"

/* All numbers are 64-bit, little-endian as the machine is. Behind the head come the tables: `pages` + 1 of
 * grid_page_row, `blocks` + 1 of grid_lengths_row; then the lengths of all rows, then the pages. In front of
 * these stand, of version 2 alone, names of the vertices (vertex_names.h). */
enum { GRID_PAGES_MAGIC = 16, GRID_PAGES_ALIGNED = 4096 };
enum { GRID_PAGES_VERSION = 1, GRID_PAGES_NAMED_VERSION = 2 };
extern const unsigned char grid_pages_magic[GRID_PAGES_MAGIC];
enum {
  GRID_PAGES_SYMMETRIC = 1,
  GRID_PAGES_NO_LOOPS = 2,
  GRID_PAGES_VALUES = 4,
  GRID_PAGES_NAMES = 8,    /* version 2: always */
  GRID_PAGES_NAMES64 = 16, /* ... of 64 bits, not 32 */
  GRID_PAGES_FLAGS = 7,
  GRID_PAGES_NAMED_FLAGS = 31
};

typedef struct {
  unsigned char magic[GRID_PAGES_MAGIC];
  uint64_t version;
  uint64_t nrows, ncols, nvals;
  uint64_t flags; /* VALUES: each entry has one, FP64; else all are true */
  uint64_t pages, blocks;
  uint64_t lengths, data, bytes; /* where lengths and pages begin; of the whole file */
  uint64_t tables;               /* their checksum */
  uint64_t checksum;             /* of what stands before it */
} grid_pages_head;

/* A page begins with that entry, at that place; the last row of the table is the end. */
typedef struct {
  uint64_t entry, at, checksum;
} grid_page_row;
/* The lengths of the rows from `row` on, whose first entry is `entry`. */
typedef struct {
  uint64_t row, entry, at, checksum;
} grid_lengths_row;

static inline uint64_t grid_pages_table(const grid_pages_head *h) {
  return (h->pages + 1) * sizeof(grid_page_row) + (h->blocks + 1) * sizeof(grid_lengths_row);
}
/* Names whose checksum is one. */
enum { GRID_NAMES_PER_CHECKSUM = 4096 };
/* Bytes of a name; 0: there are none. Of all, and their checksums. */
static inline uint64_t grid_pages_name_size(const grid_pages_head *h) {
  return !(h->flags & GRID_PAGES_NAMES) ? 0 : h->flags & GRID_PAGES_NAMES64 ? 8 : 4;
}
static inline uint64_t grid_pages_names(const grid_pages_head *h) {
  const uint64_t size = grid_pages_name_size(h), blocks = (h->nrows - 1) / GRID_NAMES_PER_CHECKSUM + 1;
  return size ? (h->nrows * size + 7) / 8 * 8 + blocks * sizeof(uint64_t) : 0;
}
/* Fills in magic, version and checksum. */
void grid_pages_seal(grid_pages_head *h);
/* Is it one, whole, of a file of so many bytes? Worded. */
GrB_Info grid_pages_check_head(const grid_pages_head *h, uint64_t bytes, const char *path);
/* Are the tables what was written, and of one segment? Worded. */
GrB_Info grid_pages_check_tables(const grid_pages_head *h, const void *tables, const char *path);
#endif
