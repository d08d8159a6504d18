// The sentinel of an absent value of 4 or 8 bytes: one that hardly any program uses, a NaN as a
// floating-point number.
#define GRID_X_SENTINEL 0x7ff9d5a3u
// A vector of column panels that is open at the end of the tile in which it begins: a bit of its number.
#define GRID_PANEL_OPEN 0x80000000u

// A product on the device as seen by its kernels: a grid_job (spmat/local_product.h) with its index map
// resolved, and the kernels' workspace. All pointers are device memory. Shared by host code and kernels
// compiled at run time.
#ifndef GRID_PRODUCT_JOB_CUH
#define GRID_PRODUCT_JOB_CUH
#include "vec_args.cuh"

// Entries `from` and following of row `row`: a segment of a long row.
typedef struct {
  uint32_t row, from;
} grid_slice;

typedef struct {
  // number of the frontier's vectors in the upper half, of their entries in the lower: one atomic addition
  // reserves both
  uint64_t frontier;
  uint64_t found, inspected;
  uint64_t slices;
  unsigned arrived;  // blocks at a push's barriers and at the end
} grid_product_counts;

typedef struct {
  // M, in the orientation that the direction needs
  const uint32_t *ptr, *idx, *hub_neighbor;
  const uint64_t *nonempty;
  const void *a;  // values by entry; NULL: iso, the value being another parameter
  // x: bits over nx indices (NULL: all), or for a push a list of nx; values are dense or packed with the list
  const uint64_t *xbits;
  const uint32_t *xlist;
  uint64_t nx;
  const void *x;
  bool x_iso, x_packed;
  const uint64_t *mask;  // NULL: all outputs are allowed
  bool mask_complement;
  // y
  uint64_t ny;
  unsigned batch;  // a pull by rows: a warp takes this many groups of 32
  uint32_t slice;  // longer rows of a pull are divided into segments of so many entries
  uint64_t *ybits;
  void *y;
  bool y_full;  // every output has a value already
  // SECONDI: global position of inner index k (grid_index_map)
  const void *ids;
  bool ids64;
  uint64_t base, q, stride, offset;
  // workspace: a push's vectors (positions in x) and their first edges' numbers; a pull's segments of long
  // rows; locks for values too large for atomic operations
  uint32_t *list, *start;
  grid_slice *slices;
  uint32_t *locks;
  // a pull by balanced tiles (spmat/matrix/balanced_tiles.h): numbers of tiles, of entries and of vectors
  // with entries (or more); for each tile the sum of the vector that was open before it; the sums of the
  // vectors with entries; their states (GRID_SUM_*)
  uint64_t balanced_tiles, entries, vectors;
  const uint32_t *row_start, *before, *vector;
  void *leading, *sums;
  uint8_t *leading_state, *sum_state;
  uint64_t hubs;  // x is in order of degree; number of its elements that shared memory has at a time
  // a pull by column panels (spmat/matrix/column_panels.h): elements of x; panels, without the rest; for each
  // tile the sum of the vector that is open at its end
  uint64_t ends;
  uint32_t panels, panel_columns;
  const uint32_t *first_tile, *block_start;
  void *open;
  // not NULL: absent elements of x are GRID_X_SENTINEL; its target is not 0: a present one is, too
  const uint32_t *mark_collision;
  grid_product_counts *counts;  // zero when no product runs
  grid_tally tally;  // of outputs found; its value: the counts of the frontier and of inspected entries
} grid_product_job;

enum {
  GRID_PRODUCT_THREADS = 256,
  GRID_PRODUCT_EDGES_PER_THREAD = 4,  // edges of a push that a thread has in flight
  GRID_PRODUCT_TILE = GRID_PRODUCT_THREADS * GRID_PRODUCT_EDGES_PER_THREAD,
  GRID_PRODUCT_SLICE = 8192,  // entries of a segment of a long row, at most and at least
  GRID_PRODUCT_SLICE_MIN = 256,
  GRID_BALANCED_TILE = 1024,  // entries, whose marks a warp reads at a time
  // for a pull by balanced tiles in order of degree: one block a multiprocessor, whose first-level cache
  // keeps the rest
  GRID_PRODUCT_HUB_THREADS = 1024,
  GRID_COLUMN_PANELS = 63,  // panels whose x shared memory has by turns, at most
  GRID_PANEL_BLOCK = 4096,  // outputs for which a block adds the sums of all panels
  GRID_PRODUCT_LOCKS = 4096
};
#endif
