// In place of a value of 4 or 8 bytes that is not there: one that hardly any program has, a NaN to floating
// point numbers.
#define GRID_X_SENTINEL 0x7ff9d5a3u

// A product on the device, as its kernels see it: a grid_job (spmat/local_product.h) with its places resolved, and
// the kernels' own work space. All pointers are device memory. Shared by host code and run-time compiled
// kernels.
#ifndef GRID_PRODUCT_JOB_CUH
#define GRID_PRODUCT_JOB_CUH

// Entries `from` and the following of row `row`: a segment of a long row.
typedef struct {
  uint32_t row, from;
} grid_slice;

typedef struct {
  // vectors of the frontier in the upper half, their entries in the lower one: one atomic addition gives out
  // places for both
  uint64_t frontier;
  uint64_t found, inspected;
  uint64_t slices;
} grid_product_counts;

typedef struct {
  // M, in the orientation that the direction needs
  const uint32_t *ptr, *idx, *hub_neighbor;
  const uint64_t *nonempty;
  const void *a;  // values by entry; NULL: the one value that the kernel is given beside this
  // x: bits over nx places (NULL: all of them), or for a push a list of nx; values dense or packed with the
  // list
  const uint64_t *xbits;
  const uint32_t *xlist;
  uint64_t nx;
  const void *x;
  bool x_iso, x_packed;
  const uint64_t *mask;  // NULL: all outputs are allowed
  bool mask_complement;
  // y
  uint64_t ny;
  unsigned batch;  // a pull by rows: a warp takes so many times 32 of them
  uint64_t *ybits;
  void *y;
  // SECONDI: place of inner index k (grid_index_map)
  const void *ids;
  bool ids64;
  uint64_t base, q, stride, offset;
  // work space: a push's vectors (positions in x) and their first edges' numbers; a pull's segments of long
  // rows; locks for values that no atomic operation takes
  uint32_t *list, *start;
  grid_slice *slices;
  uint32_t *locks;
  // a pull by strips (spmat/matrix/balanced_tiles.h): so many, of so many entries; and of each strip the sum of the
  // vector that was open before it and of the one that stays open behind it
  uint64_t balanced_tiles, entries;
  const uint32_t *row_start, *before, *vector;
  void *leading, *tail;
  uint8_t *lead_nonempty, *tail_nonempty;
  uint64_t hubs;  // x is in order of rank; so many of its first values fit shared memory
  // not NULL: where x has no element stand words GRID_X_SENTINEL; not 0: and where it has one, too
  const uint32_t *mark_collision;
  grid_product_counts *counts;
} grid_product_job;

enum {
  GRID_PRODUCT_THREADS = 256,
  GRID_PRODUCT_EDGES_PER_THREAD = 4,  // edges of a push that a thread has under way
  GRID_PRODUCT_TILE = GRID_PRODUCT_THREADS * GRID_PRODUCT_EDGES_PER_THREAD,
  GRID_PRODUCT_SLICE = 8192,  // longer rows of a pull are cut
  GRID_BALANCED_TILE = 1024,  // entries, whose marks a warp reads at once
  // of a pull by strips in order of rank: a block a multiprocessor, whose first-level cache keeps the rest
  GRID_PRODUCT_HUB_THREADS = 1024,
  GRID_PRODUCT_HUB_BYTES = 160 << 10,
  GRID_PRODUCT_LOCKS = 4096
};
#endif
