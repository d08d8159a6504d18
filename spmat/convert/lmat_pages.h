/* An orientation of a part in pages: its entries in runs that follow one another, coded, in host memory from
 * which a device that has no room for all of them fetches those that a product needs (docs/design.md, "Pages
 * from the host to the device"). A page tells all of itself: the device keeps nothing else of the part. */
#ifndef GRID_LMAT_PAGES_H
#define GRID_LMAT_PAGES_H
#include "spmat/device/backend.h"
#include "spmat/matrix/local_matrix.h"

/* Entries that are coded together (page_code.h): a warp of the device decodes them. */
#define GRID_PAGE_TILE 1024

/* The vectors row .. row + rows, which both are multiples of 64 but for the last vector's, have entries in
 * it. */
typedef struct {
  uint64_t entry; /* the number of its first; the next page's tells how many there are */
  uint64_t row, rows;
  uint64_t at, codes; /* where its bytes begin; of them, what the codes take */
  bool uneven;        /* so many entries are in long vectors that sums go by strips (spmat/matrix/balanced_tiles.h) */
  void *cached;       /* a copy of them in device memory, or NULL */
  bool wanted;        /* ... which a product is about to work on: it does not go */
  uint64_t uses;      /* by products */
} grid_host_page;

/* The part as it stands on the host, read from there by kernels that look at little of it: where its vectors
 * begin, and heads, are on the device, columns and values are not. */
typedef struct {
  grid_compressed m;         /* by which kernels find it; ptr NULL: it is not there (now) */
  const void *registered[2]; /* what the device has been shown of the host's memory */
  bool hidden;               /* the memory cannot be shown */
  bool evicted;              /* there was no room, or others needed it; */
  uint64_t missed; /* ... so many bytes more have been sent since than reading in place would have cost */
  double outside_share; /* of a pull with early hits: looks behind a row's first, for each row, as it was last
                           time */
} grid_pages_in_place;

/* What the CPU does of products over the pages beside the device (dist/product/local/streamed_cpu.h): locked memory
 * for what it is given and gives. */
typedef struct {
  char *buffer;
  uint64_t bytes;
} grid_pages_shared;

typedef struct grid_host_pages {
  uint64_t n, entries, vectors;
  grid_host_page *page; /* n + 1 */
  char *bytes;          /* of all pages; memory that the device reaches by itself */
  size_t value;         /* of an entry's value, beside the codes; 0: all have one */
  /* the largest of the pages: */
  uint64_t most_bytes, most_entries, most_rows;
  uint32_t *bounds; /* in device memory: of each page its first vector's word of a bitmap, and the number of
                       words */
  uint64_t cached, cache_limit; /* bytes of what is kept on the device, and the most that may be */
  uint64_t busy;                /* the page that is being worked on, or n */
  uint64_t sent;                /* bytes, by all products so far */
  grid_pages_in_place in_place;
  grid_pages_shared with_cpu;
  struct grid_host_pages *next, *before; /* all that there are */
} grid_host_pages;

/* Where the parts of a page's bytes stand: offsets of its vectors among its entries (rows + 1, 32 bits), of
 * its strips' codes among all codes (strips + 1, 32 bits), how many vectors with entries come before each
 * strip (strips + 1, 32 bits) and before each 32 vectors (32 bits), the codes, the values. */
typedef struct {
  uint64_t offsets, balanced_tiles, before, numbers, codes, values, end;
} grid_page_layout;
grid_page_layout grid_page_layout_of(uint64_t rows, uint64_t entries, uint64_t codes, size_t value);

/* *made = those of m, which lies on the host: an orientation of `vectors` vectors and so many entries, with
 * values of `value` bytes, or none. Each has at most `each` entries, and as many vectors. Errors are worded:
 * there is no such memory. */
GrB_Info grid_host_pages_make(grid_host_pages **made, const grid_compressed *m, uint64_t vectors,
                              uint64_t entries, size_t value, uint64_t each);
void grid_host_pages_free(grid_host_pages *g);

/* Page k has been sent to device memory, `from`: it is kept there, too, if there is room, or in place of one
 * that is used less. */
GrB_Info grid_host_pages_cache(grid_host_pages *g, uint64_t k, const void *from);
/* g->there.m is made, with heads if they are wanted, of m, which the pages are of, unless there is no room.
 * It would save a product so many bytes: where it has been given up, it comes again once it would have saved
 * what it takes to send it, and as much of kept pages that go for it. */
GrB_Info grid_host_pages_register(grid_host_pages *g, const grid_compressed *m, bool hub_neighbors,
                                  uint64_t saves);
/* There is another limit: what there was no room for may have it now. */
void grid_host_pages_retry(void);
/* What all pages together have on the device, but for work that is under way, goes until `bytes` are free. */
void grid_host_pages_evict(uint64_t bytes);
static inline uint64_t grid_host_page_bytes(const grid_host_pages *g, uint64_t k) {
  return g->page[k + 1].at - g->page[k].at;
}

/* A page on the device: its bytes, and what they become. All but `row` points to device memory. */
typedef struct {
  const char *bytes;
  grid_page_layout at;
  uint64_t rows, entries;
  grid_compressed
      page_rows;       /* ptr: in the bytes; idx, first (NULL: not wanted) and nonempty are to be made */
  uint32_t *row_start; /* room for a bit an entry, in whole strips */
  uint32_t *vector;    /* room for the list of the vectors that have entries; NULL: it is not wanted */
} grid_device_page;

/* The device's part in this: a row of the backend. Copies go beside the other work, and tell by slots how far
 * they are. */
enum { GRID_PAGE_SLOTS = 3, GRID_PAGES_PREFETCH = 96 };
typedef struct grid_device_paging {
  /* host memory that the device reaches by itself; NULL: there is none */
  void *(*lock)(uint64_t bytes);
  void (*unlock)(void *p);
  /* The device may read p's bytes, of the host's memory, where they are; false: it cannot. */
  bool (*register_host)(const void *p, uint64_t bytes);
  void (*unregister_host)(const void *p);
  /* What is sent from now on comes after all work that was asked for so far. */
  GrB_Info (*begin)(void);
  /* to (device) = from (locked), once what was asked for before give(slot) is done */
  GrB_Info (*send)(int slot, void *to, const void *from, uint64_t bytes);
  /* Work from now on comes after the last send of the slot. */
  GrB_Info (*load)(int slot);
  GrB_Info (*release_slot)(int slot);
  /* All work on one more page has been asked for; at most GRID_PAGES_PREFETCH are waiting then. How many are?
   */
  GrB_Info (*issued)(void);
  uint64_t (*count_pending)(void);
  /* to (locked) = from (device), as it was at the last begin(); it is there once fetched() returns. */
  GrB_Info (*fetch)(void *to, const void *from, uint64_t bytes);
  GrB_Info (*wait_fetch)(void);
  /* to (device) = from (locked), beside all that was asked for since the last begin() and before what will
   * be. */
  GrB_Info (*upload)(void *to, const void *from, uint64_t bytes);
  /* Waits for all that was sent, fetched and brought. */
  GrB_Info (*end)(void);
  GrB_Info (*unpack)(const grid_device_page *p);
  /* count[k] = bits (complemented or not; NULL: all) of page k's vectors that are in `some`, too; count: on
   * the host. */
  GrB_Info (*count_edges)(uint32_t *count, const uint64_t *bits, bool complement, const uint64_t *nonempty,
                          const uint32_t *bounds, uint64_t n);
} grid_device_paging;
#endif
