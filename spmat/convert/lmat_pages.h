/* An orientation of a local matrix as encoded pages, that is, runs of consecutive entries, in host memory. A
 * device that has no room for all of them fetches those that a product needs (docs/how/gpu.md). A page is
 * self-contained: the device stores nothing else of the matrix. */
#ifndef GRID_LMAT_PAGES_H
#define GRID_LMAT_PAGES_H
#include "spmat/device/backend.h"
#include "spmat/matrix/local_matrix.h"

/* Entries that are encoded together (page_code.h): a warp of the device decodes them. */
#define GRID_PAGE_TILE 1024

/* Its entries are in the vectors row .. row + rows. Both are multiples of 64, except at the last vector. */
typedef struct {
  uint64_t entry; /* number of its first; the next page's number gives the end */
  uint64_t row, rows;
  uint64_t at, codes; /* where its bytes begin; bytes of its codes */
  bool uneven;        /* so many entries are in long vectors that sums use balanced tiles
                         (spmat/matrix/balanced_tiles.h) */
  void *cached;       /* a copy in device memory, or NULL */
  bool wanted;        /* a product is about to use the copy: it must stay */
  uint64_t uses;      /* number of products that used it */
} grid_host_page;

/* The matrix in host memory, read there by kernels that access few of its entries. Offsets and hub neighbors
 * are on the device; columns and values are not. */
typedef struct {
  grid_compressed m;         /* for the kernels; ptr NULL: not available (now) */
  const void *registered[2]; /* host memory that is registered with the device */
  bool hidden;               /* the memory cannot be registered */
  bool evicted;              /* there was no room, or others needed it; */
  uint64_t missed;           /* bytes sent since then beyond what reading in place would have cost */
  double beyond_first_share; /* in a pull with early hits: entries inspected beyond the first, a row, last
                                time */
} grid_pages_in_place;

/* The CPU's share of products over the pages beside the device (dist/product/local/streamed_cpu.h): locked
 * memory for its operands and results. */
typedef struct {
  char *buffer;
  uint64_t bytes;
} grid_pages_shared;

typedef struct grid_host_pages {
  uint64_t n, entries, vectors;
  grid_host_page *page; /* n + 1 */
  char *bytes;          /* of all pages; in memory that the device can access */
  size_t value;         /* bytes of a value, stored after the codes; 0: iso */
  /* maxima over the pages: */
  uint64_t most_bytes, most_entries, most_rows;
  uint32_t
      *bounds; /* in device memory: for each page its first vector's bitmap word, and the number of words */
  uint64_t cached, cache_limit; /* bytes cached on the device, and their limit */
  uint64_t busy;                /* the page in use, or n */
  uint64_t sent;                /* bytes sent by all products so far */
  grid_pages_in_place in_place;
  grid_pages_shared with_cpu;
  struct grid_host_pages *next, *before; /* list of all objects */
} grid_host_pages;

/* Sections of a page's bytes: offsets of its vectors among its entries (rows + 1), of its tiles' codes among
 * all codes (tiles + 1), non-empty vectors before each tile (tiles + 1) and before each 32 vectors, the
 * codes, the values. Offsets and numbers have 32 bits. */
typedef struct {
  uint64_t offsets, balanced_tiles, before, numbers, codes, values, end;
} grid_page_layout;
grid_page_layout grid_page_layout_of(uint64_t rows, uint64_t entries, uint64_t codes, size_t value);

/* *made = the pages of m, which lies on the host: `vectors` vectors and `entries` entries, with values of
 * `value` bytes (0: none). A page has at most `page_entries` entries, and as many vectors. GrB_OUT_OF_MEMORY:
 * no such memory. */
GrB_Info grid_host_pages_make(grid_host_pages **made, const grid_compressed *m, uint64_t vectors,
                              uint64_t entries, size_t value, uint64_t page_entries);
void grid_host_pages_free(grid_host_pages *g);

/* Page k has been sent to `from` in device memory: it is cached there if there is room, or replaces one that
 * is used less. */
GrB_Info grid_host_pages_cache(grid_host_pages *g, uint64_t k, const void *from);
/* Makes g->in_place.m of m, which the pages are of, with hub neighbors if requested, unless there is no room.
 * It would save a product `saves` bytes. After an eviction it returns once it would have saved the bytes to
 * send it and to send the cached pages that it displaces. */
GrB_Info grid_host_pages_register(grid_host_pages *g, const grid_compressed *m, bool hub_neighbors,
                                  uint64_t saves);
/* The memory limit has changed: what did not fit is tried again. */
void grid_host_pages_retry(void);
/* Frees what all pages together have on the device, except for work in progress, until `bytes` are free. */
void grid_host_pages_evict(uint64_t bytes);
static inline uint64_t grid_host_page_bytes(const grid_host_pages *g, uint64_t k) {
  return g->page[k + 1].at - g->page[k].at;
}

/* A page on the device: its bytes, and what is decoded from them. All but `row` point to device memory. */
typedef struct {
  const char *bytes;
  grid_page_layout at;
  uint64_t rows, entries;
  grid_compressed
      page_rows; /* ptr: in the bytes; idx, hub_neighbor (NULL: not needed) and nonempty are to be written */
  uint32_t *row_start; /* space for a bit an entry, in whole tiles */
  uint32_t *vector;    /* space for the list of non-empty vectors; NULL: not needed */
} grid_device_page;

/* Pages of a file on the device (docs/formats.md), and what is decoded from them. Where the columns of a page
 * begin among the codes, a multiple of 8; and its first entry among all of these pages. */
typedef struct {
  uint64_t at, entry;
} grid_coded_page;
/* All but `rows` point to device memory. */
typedef struct {
  const char *codes;
  const grid_coded_page *page; /* pages + 1 elements */
  uint64_t pages, number;      /* number: of the first in the file */
  uint64_t skip, entries;      /* `entries` of all, those after the first `skip`, are the rows' */
  uint64_t all, cols;          /* entries of all pages; the number of columns */
  uint64_t n;                  /* rows */
  grid_compressed rows;        /* ptr is given; idx, hub_neighbor (NULL: not needed) and nonempty are to be
                                  written */
  uint32_t *row_start;         /* space for a bit an entry of the pages, and 64 more */
  uint64_t *damaged;           /* lowered to the number of a page whose columns do not ascend below cols; they
                                  are 0 in `rows` where they are not below it */
} grid_device_coded_rows;

/* The device's row. Copies run beside other work, and slots synchronise the two. */
enum { GRID_PAGE_SLOTS = 3, GRID_PAGES_PREFETCH = 96 };
typedef struct grid_device_paging {
  /* host memory that the device can access; NULL: none left */
  void *(*lock)(uint64_t bytes);
  void (*unlock)(void *p);
  /* Registers the bytes at p, so that the device reads them in host memory; false: impossible. */
  bool (*register_host)(const void *p, uint64_t bytes);
  void (*unregister_host)(const void *p);
  /* Later sends follow all work issued so far. */
  GrB_Info (*begin)(void);
  /* to (device) = from (locked), after the work issued before release_slot(slot) */
  GrB_Info (*send)(int slot, void *to, const void *from, uint64_t bytes);
  /* Later work follows the last send of the slot. */
  GrB_Info (*load)(int slot);
  GrB_Info (*release_slot)(int slot);
  /* issued: all work on one more page has been issued; at most GRID_PAGES_PREFETCH pages may then be pending.
   * count_pending: how many are. */
  GrB_Info (*issued)(void);
  uint64_t (*count_pending)(void);
  /* Waits until at most so many pages are pending. */
  GrB_Info (*wait_pending)(uint64_t most);
  /* to (locked) = from (device) as of the last begin(); complete when wait_fetch() returns. */
  GrB_Info (*fetch)(void *to, const void *from, uint64_t bytes);
  GrB_Info (*wait_fetch)(void);
  /* to (device) = from (locked), concurrently with work issued since the last begin(), and before later work.
   */
  GrB_Info (*upload)(void *to, const void *from, uint64_t bytes);
  /* Waits for all that was sent, fetched and uploaded. */
  GrB_Info (*end)(void);
  GrB_Info (*unpack)(const grid_device_page *p);
  GrB_Info (*decode)(const grid_device_coded_rows *p);
  /* count[k] = bits (perhaps complemented; NULL: all) of page k's vectors that are also in `nonempty`; count:
   * on the host. */
  GrB_Info (*count_edges)(uint32_t *count, const uint64_t *bits, bool complement, const uint64_t *nonempty,
                          const uint32_t *bounds, uint64_t n);
} grid_device_paging;
#endif
