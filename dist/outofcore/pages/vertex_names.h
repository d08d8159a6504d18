/* The original names of the vertices in a renumbered page file, or the numbers of the listed rows and columns
 * of a hypersparse one (docs/formats.md). They precede the pages: names of 4 or 8 bytes, padding to 8 bytes,
 * then a checksum per GRID_NAMES_PER_CHECKSUM names. All functions are local. */
#ifndef GRID_VERTEX_NAMES_H
#define GRID_VERTEX_NAMES_H
#include "dist/outofcore/pages/page_file_header.h"
#include "dist/outofcore/file/striped_file.h"

/* to[0..n) = the names of vertices first, first + 1, ... in the file at `path` with this header. Returns
 * an error with text. */
GrB_Info grid_names_read(uint64_t *to, const grid_pages_head *h, const char *path, uint64_t first,
                         uint64_t n);

/* *list, to be freed: the numbers of the n listed rows, or columns, from the first on of a hypersparse file;
 * they ascend below the dimension. Returns an error with text. */
GrB_Info grid_pages_read_list(uint64_t **list, const grid_pages_head *h, const char *path, bool rows,
                              uint64_t first, uint64_t n);

/* Consecutive rows or columns of those that the file's pages number. */
typedef struct {
  uint64_t first, n;
} grid_pages_range;
/* *range = those of chunk k of the dimension. Returns an error with text. */
GrB_Info grid_pages_find_chunk(grid_pages_range *range, const grid_pages_head *h, const char *path, bool rows,
                               int k);

/* Vertex k has the name of the original vertex order[k]; order NULL: its own. */
typedef struct {
  const uint32_t *order;
  const uint64_t *name; /* of each original vertex from the first-th on; NULL: its number + base */
  uint64_t base, first;
} grid_names;
/* The names that process k of `of` writes. */
grid_pages_range grid_names_share(const grid_pages_head *h, int k, int of);
/* It writes them; returns 0 or an errno, possibly ENOMEM. */
int grid_names_write(const grid_names *x, const grid_pages_head *h, const grid_store *s, int k, int of);
#endif
