/* See page_file_header.h. */
#include "dist/outofcore/pages/page_file_header.h"

#include <string.h>

#include "dist/outofcore/sort/duplicates.h"
#include "spmat/convert/checksum.h"

const unsigned char grid_pages_magic[GRID_PAGES_MAGIC] = "gridblas pages\n";

/* Limit of the entries of a page, whatever the file says: a page is decoded as a whole. */
#define MAX_IN_PAGE (UINT64_C(1) << 24)

static uint64_t checksum(const grid_pages_head *h) {
  return grid_checksum((const char *)h, offsetof(grid_pages_head, checksum), h->version);
}

static uint64_t rest_checksum(const grid_pages_head *h) {
  const uint64_t rest[4] = {h->rows, h->cols, h->dup, h->tuples};
  return grid_checksum((const char *)rest, h->version < GRID_PAGES_VERSION ? 2 * sizeof *rest : sizeof rest,
                       h->version);
}

void grid_pages_seal(grid_pages_head *h) {
  memcpy(h->magic, grid_pages_magic, sizeof h->magic);
  h->checksum = checksum(h);
  h->rest_checksum = rest_checksum(h);
}

static GrB_Info fail_damaged(const char *path, const char *what) {
  return grid_fail(NULL, GrB_INVALID_VALUE, "%s: the page file is damaged: %s", path, what);
}

/* The flags that a version may have, and those that it must have. */
static const struct {
  uint64_t possible, set;
} version_flags[GRID_PAGES_VERSION + 1] = {
    [1] = {7, 0},
    [GRID_PAGES_NAMED_VERSION] = {31, GRID_PAGES_NAMES},
    [GRID_PAGES_HYPERSPARSE_VERSION] = {39, GRID_PAGES_HYPERSPARSE},
    [GRID_PAGES_VERSION] = {127, 0},
};

static bool are_flags_valid(const grid_pages_head *h) {
  const uint64_t flags = h->flags, names = GRID_PAGES_NAMES, lists = GRID_PAGES_HYPERSPARSE,
                 both = GRID_PAGES_SYMMETRIC | GRID_PAGES_SKEW;
  return !(flags & ~version_flags[h->version].possible) &&
         (flags & version_flags[h->version].set) == version_flags[h->version].set &&
         (flags & (names | lists)) != (names | lists) && (flags & both) != both;
}

/* Do dimensions, numbers of rows and flags fit each other and the version? */
static bool are_dimensions_valid(const grid_pages_head *h) {
  const bool is_square = h->nrows == h->ncols;
  if (!are_flags_valid(h) || h->rows > UINT32_MAX || h->cols > UINT32_MAX || h->dup >= GRID_DUPS ||
      (h->version == GRID_PAGES_VERSION && h->tuples < h->nvals) ||
      (h->flags & (GRID_PAGES_NAMES | GRID_PAGES_SKEW) && !is_square))
    return false;
  if (!(h->flags & GRID_PAGES_HYPERSPARSE)) return h->rows == h->nrows && h->cols == h->ncols;
  return h->nrows <= GrB_INDEX_MAX + 1 && h->ncols <= GrB_INDEX_MAX + 1 && h->rows <= h->nrows &&
         h->cols <= h->ncols && h->rows <= h->nvals && h->cols <= h->nvals;
}

/* Sets the members that the file's version lacks, and checks the sum of the others. */
static bool complete_head(grid_pages_head *h) {
  if (h->version < GRID_PAGES_VERSION) h->dup = GRID_DUP_MIN, h->tuples = 0;
  if (h->version >= GRID_PAGES_HYPERSPARSE_VERSION) return h->rest_checksum == rest_checksum(h);
  h->rows = h->nrows, h->cols = h->ncols;
  return true;
}

GrB_Info grid_pages_check_head(grid_pages_head *h, uint64_t bytes, const char *path) {
  if (bytes < offsetof(grid_pages_head, rows) || memcmp(h->magic, grid_pages_magic, sizeof h->magic) != 0)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: it is not a page file", path);
  if (h->version < 1 || h->version > GRID_PAGES_VERSION)
    return grid_fail(NULL, GrB_INVALID_VALUE,
                     "%s: pages of version %llu; this library reads versions 1 to %d", path,
                     (unsigned long long)h->version, GRID_PAGES_VERSION);
  if (h->checksum != checksum(h)) return fail_damaged(path, "the checksum of its head");
  if (h->bytes != bytes)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: the page file has %llu bytes, not the %llu written%s",
                     path, (unsigned long long)bytes, (unsigned long long)h->bytes,
                     bytes < h->bytes ? " (if they lie in several files, name all, with commas)" : "");
  if (!complete_head(h) || !are_dimensions_valid(h)) return fail_damaged(path, "its dimensions");
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
