/* See vertex_names.h. */
#include "dist/outofcore/pages/vertex_names.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "dist/grid/layout.h"
#include "semiring/support/mem.h"
#include "spmat/convert/checksum.h"

enum { MOST = GRID_NAMES_PER_CHECKSUM };

/* Names with a common checksum. */
typedef struct {
  uint64_t first, n;
  uint64_t at, bytes, checksum_at; /* file offsets; bytes include padding */
} block;

static block block_of(const grid_pages_head *h, uint64_t k) {
  const uint64_t size = grid_pages_name_size(h), start = h->data - grid_pages_names(h), first = k * MOST,
                 left = grid_pages_name_count(h) - first;
  return (block){.first = first,
                 .n = left < MOST ? left : MOST,
                 .at = start + first * size,
                 .bytes = ((left < MOST ? left : MOST) * size + 7) / 8 * 8,
                 .checksum_at = start + (grid_pages_name_count(h) * size + 7) / 8 * 8 + k * sizeof(uint64_t)};
}

static uint64_t name_at(const char *bytes, uint64_t k, uint64_t size) {
  uint32_t narrow;
  uint64_t name64;
  if (size == sizeof name64) {
    memcpy(&name64, bytes + k * size, sizeof name64);
    return name64;
  }
  memcpy(&narrow, bytes + k * size, sizeof narrow);
  return narrow;
}

static void write_name(char *bytes, uint64_t k, uint64_t size, uint64_t name) {
  const uint32_t narrow = (uint32_t)name;
  if (size == sizeof name)
    memcpy(bytes + k * size, &name, sizeof name);
  else
    memcpy(bytes + k * size, &narrow, sizeof narrow);
}

/* ---- read ---- */

static GrB_Info fail_io(const char *path, int error) {
  return grid_fail(NULL, GrB_INVALID_VALUE, "%s: cannot read names of vertices: %s", path,
                   error == ENODATA ? "it ends too early" : strerror(error));
}

static GrB_Info read_block(char *to, const grid_pages_head *h, uint64_t k, const grid_store *s,
                           const char *path) {
  const block b = block_of(h, k);
  uint64_t checksum;
  int error = grid_store_read(s, to, b.bytes, b.at);
  if (!error) error = grid_store_read(s, &checksum, sizeof checksum, b.checksum_at);
  if (error) return fail_io(path, error);
  if (checksum == grid_checksum(to, b.bytes, b.n)) return GrB_SUCCESS;
  return grid_fail(NULL, GrB_INVALID_VALUE,
                   "%s: the page file is damaged: the names of its vertices, at byte %llu", path,
                   (unsigned long long)b.at);
}

GrB_Info grid_names_read(uint64_t *to, const grid_pages_head *h, const char *path, uint64_t first,
                         uint64_t n) {
  const uint64_t size = grid_pages_name_size(h), end = first + n;
  GrB_Info info = GrB_SUCCESS;
  if (n == 0) return info;
  grid_store s;
  int which;
  const int error = grid_store_open(&s, path, O_RDONLY, &which);
  char *bytes = grid_malloc(MOST, size);
  if (error)
    info = fail_io(path, error);
  else if (!bytes)
    info = grid_fail_memory(NULL, "names of vertices", MOST, size);
  for (uint64_t k = first / MOST; k * MOST < end && info == GrB_SUCCESS; k++) {
    const block b = block_of(h, k);
    info = read_block(bytes, h, k, &s, path);
    for (uint64_t v = b.first < first ? first : b.first; v < b.first + b.n && v < end; v++)
      to[v - first] = name_at(bytes, v - b.first, size);
  }
  grid_free(bytes);
  grid_store_close(&s);
  return info;
}

GrB_Info grid_pages_read_list(uint64_t **list, const grid_pages_head *h, const char *path, bool rows,
                              uint64_t first, uint64_t n) {
  const uint64_t dim = rows ? h->nrows : h->ncols;
  uint64_t *id = *list = grid_malloc(n, sizeof *id);
  bool ascending = true;
  if (!id) return grid_fail_memory(NULL, "numbers of rows", n, sizeof *id);
  const GrB_Info info = grid_names_read(id, h, path, first + (rows ? 0 : h->rows), n);
  if (info != GrB_SUCCESS) return info;
  for (uint64_t k = 0; k < n; k++) ascending = ascending && id[k] < dim && (k == 0 || id[k] > id[k - 1]);
  return ascending ? info
                   : grid_fail(NULL, GrB_INVALID_VALUE,
                               "%s: the page file is damaged: the numbers of its %s do not ascend", path,
                               rows ? "rows" : "columns");
}

/* *at = the number of listed rows, or columns, below `index`. */
static GrB_Info count_listed_below(uint64_t *at, const grid_pages_head *h, const char *path, bool rows,
                                   uint64_t index) {
  uint64_t high = rows ? h->rows : h->cols, id = 0;
  GrB_Info info = GrB_SUCCESS;
  for (*at = 0; *at < high && info == GrB_SUCCESS;) {
    const uint64_t mid = *at + (high - *at) / 2;
    info = grid_names_read(&id, h, path, mid + (rows ? 0 : h->rows), 1);
    if (id < index)
      *at = mid + 1;
    else
      high = mid;
  }
  return info;
}

GrB_Info grid_pages_find_chunk(grid_pages_range *range, const grid_pages_head *h, const char *path, bool rows,
                               int k) {
  const uint64_t dim = rows ? h->nrows : h->ncols;
  uint64_t first = grid_chunk_first(dim, k), end = grid_chunk_first(dim, k + 1);
  GrB_Info info = GrB_SUCCESS;
  if (h->flags & GRID_PAGES_HYPERSPARSE) {
    info = count_listed_below(&first, h, path, rows, first);
    if (info == GrB_SUCCESS) info = count_listed_below(&end, h, path, rows, end);
  }
  *range = (grid_pages_range){end > first ? first : 0, end > first ? end - first : 0};
  return info;
}

/* ---- write ---- */

static int write_block(const grid_names *x, const grid_pages_head *h, uint64_t k, const grid_store *s,
                       char *bytes) {
  const block b = block_of(h, k);
  const uint64_t size = grid_pages_name_size(h);
  memset(bytes + b.bytes - 8, 0, 8);
  for (uint64_t v = 0; v < b.n; v++) {
    const uint64_t vertex = x->order ? x->order[b.first + v] : b.first + v;
    write_name(bytes, v, size, x->name ? x->name[vertex - x->first] : vertex + x->base);
  }
  const uint64_t checksum = grid_checksum(bytes, b.bytes, b.n);
  const int error = grid_store_write(s, bytes, b.bytes, b.at);
  return error ? error : grid_store_write(s, &checksum, sizeof checksum, b.checksum_at);
}

grid_pages_range grid_names_share(const grid_pages_head *h, int k, int of) {
  const uint64_t n = grid_pages_name_count(h), share = (n / MOST + 1) / (uint64_t)of * MOST + MOST,
                 from = share * (uint64_t)k < n ? share * (uint64_t)k : n;
  return (grid_pages_range){from, n - from < share ? n - from : share};
}

int grid_names_write(const grid_names *x, const grid_pages_head *h, const grid_store *s, int k, int of) {
  const grid_pages_range share = grid_names_share(h, k, of);
  char *bytes = grid_malloc(MOST, sizeof(uint64_t));
  int error = bytes ? 0 : ENOMEM;
  for (uint64_t v = 0; v < share.n && !error; v += MOST)
    error = write_block(x, h, (share.first + v) / MOST, s, bytes);
  grid_free(bytes);
  return error;
}
