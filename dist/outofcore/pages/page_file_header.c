/* See page_file_header.h. */
#include "dist/outofcore/pages/page_file_header.h"

#include <string.h>

#include "spmat/convert/checksum.h"

const unsigned char grid_pages_magic[GRID_PAGES_MAGIC] = "gridblas pages\n";

/* Limit of the entries of a page, whatever the file says: a page is decoded as a whole. */
#define MAX_IN_PAGE (UINT64_C(1) << 24)

static uint64_t checksum(const grid_pages_head *h) {
  return grid_checksum((const char *)h, offsetof(grid_pages_head, checksum), h->version);
}

static uint64_t rows_checksum(const grid_pages_head *h) {
  const uint64_t rows[2] = {h->rows, h->cols};
  return grid_checksum((const char *)rows, sizeof rows, h->version);
}

void grid_pages_seal(grid_pages_head *h) {
  memcpy(h->magic, grid_pages_magic, sizeof h->magic);
  h->version = h->flags & GRID_PAGES_HYPERSPARSE ? GRID_PAGES_HYPERSPARSE_VERSION
               : h->flags & GRID_PAGES_NAMES     ? GRID_PAGES_NAMED_VERSION
                                                 : GRID_PAGES_VERSION;
  h->checksum = checksum(h);
  h->rows_checksum = rows_checksum(h);
}

static GrB_Info fail_damaged(const char *path, const char *what) {
  return grid_fail(NULL, GrB_INVALID_VALUE, "%s: the page file is damaged: %s", path, what);
}

/* Do dimensions, numbers of rows and flags fit each other and the version? */
static bool are_dimensions_valid(const grid_pages_head *h) {
  const bool named = h->version == GRID_PAGES_NAMED_VERSION,
             hypersparse = h->version == GRID_PAGES_HYPERSPARSE_VERSION;
  const uint64_t flags = hypersparse ? GRID_PAGES_HYPERSPARSE_FLAGS
                         : named     ? GRID_PAGES_NAMED_FLAGS
                                     : GRID_PAGES_FLAGS;
  if (h->rows > UINT32_MAX || h->cols > UINT32_MAX || h->flags & ~flags) return false;
  if (named) return h->nrows == h->ncols && h->flags & GRID_PAGES_NAMES;
  return !hypersparse ||
         (h->flags & GRID_PAGES_HYPERSPARSE && h->rows_checksum == rows_checksum(h) &&
          h->nrows <= GrB_INDEX_MAX + 1 && h->ncols <= GrB_INDEX_MAX + 1 && h->rows <= h->nrows &&
          h->cols <= h->ncols && h->rows <= h->nvals && h->cols <= h->nvals);
}

GrB_Info grid_pages_check_head(grid_pages_head *h, uint64_t bytes, const char *path) {
  if (bytes < offsetof(grid_pages_head, rows) || memcmp(h->magic, grid_pages_magic, sizeof h->magic) != 0)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: it is not a page file", path);
  if (h->version < GRID_PAGES_VERSION || h->version > GRID_PAGES_HYPERSPARSE_VERSION)
    return grid_fail(NULL, GrB_INVALID_VALUE,
                     "%s: pages of version %llu; this library reads versions %d to %d", path,
                     (unsigned long long)h->version, GRID_PAGES_VERSION, GRID_PAGES_HYPERSPARSE_VERSION);
  if (h->checksum != checksum(h)) return fail_damaged(path, "the checksum of its head");
  if (h->bytes != bytes)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: the page file has %llu bytes, not the %llu written%s",
                     path, (unsigned long long)bytes, (unsigned long long)h->bytes,
                     bytes < h->bytes ? " (if they lie in several files, name all, with commas)" : "");
  if (h->version != GRID_PAGES_HYPERSPARSE_VERSION) h->rows = h->nrows, h->cols = h->ncols;
  if (!are_dimensions_valid(h)) return fail_damaged(path, "its dimensions");
  if (h->pages >= bytes / sizeof(grid_page_row) || h->blocks >= bytes / sizeof(grid_lengths_row) ||
      h->lengths != grid_pages_head_bytes(h) + grid_pages_table(h) || h->data < h->lengths ||
      h->data > bytes || h->data - h->lengths < grid_pages_names(h))
    return fail_damaged(path, "the places of its tables");
  return GrB_SUCCESS;
}

GrB_Info grid_pages_check_tables(const grid_pages_head *h, const void *tables, const char *path) {
  const grid_page_row *page = tables;
  const grid_lengths_row *block = (const void *)(page + h->pages + 1);
  bool bad = page[0].entry != 0 || page[0].at != h->data || page[h->pages].entry != h->nvals ||
             page[h->pages].at != h->bytes || block[0].row != 0 || block[0].entry != 0 ||
             block[0].at != h->lengths || block[h->blocks].row != h->rows ||
             block[h->blocks].entry != h->nvals || block[h->blocks].at > h->data - grid_pages_names(h) ||
             block[h->blocks].at % 8 != 0;
  if (h->tables != grid_checksum(tables, grid_pages_table(h), h->pages))
    return fail_damaged(path, "the checksum of its tables");
  for (uint64_t k = 0; k < h->pages; k++) /* at least one byte an entry, or a damaged file could cause a
                                           * huge allocation */
    bad |= page[k].entry >= page[k + 1].entry || page[k + 1].entry - page[k].entry > MAX_IN_PAGE ||
           page[k].at >= page[k + 1].at || page[k].at % 8 != 0 ||
           page[k + 1].entry - page[k].entry > page[k + 1].at - page[k].at;
  for (uint64_t k = 0; k < h->blocks; k++) /* at least one byte a length */
    bad |= block[k].row >= block[k + 1].row || block[k].entry > block[k + 1].entry ||
           block[k].at > block[k + 1].at || block[k].at % 8 != 0 ||
           block[k + 1].row - block[k].row > block[k + 1].at - block[k].at;
  return bad || h->bytes % 8 != 0 ? fail_damaged(path, "its tables do not fit each other") : GrB_SUCCESS;
}
