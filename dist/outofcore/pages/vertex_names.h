/* The names of the vertices in a file of pages whose numbers are not the user's own (docs/formats.md). They
 * stand in front of the pages: nrows names, of 4 or 8 bytes each, padding to 8, and behind them a checksum of
 * each GRID_NAMES_PER_CHECKSUM of them. All of it is local. */
#ifndef GRID_VERTEX_NAMES_H
#define GRID_VERTEX_NAMES_H
#include "dist/outofcore/pages/page_file_header.h"
#include "dist/outofcore/file/striped_file.h"

/* to[0..n) = the names of first, first + 1, ... in the file at `path`, which has that head. Worded. */
GrB_Info grid_names_read(uint64_t *to, const grid_pages_head *h, const char *path, uint64_t first,
                         uint64_t n);

/* What the names are: of vertex k the name of `order[k]`, which has a number before it was put in order. */
typedef struct {
  const uint32_t *order;
  const uint64_t *name; /* of each such number; NULL: itself + base */
  uint64_t base;
} grid_names;
/* Of `of` processes number k writes its share; 0 or an errno, ENOMEM among them. */
int grid_names_write(const grid_names *x, const grid_pages_head *h, const grid_store *s, int k, int of);
#endif
