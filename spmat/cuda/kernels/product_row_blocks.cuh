// A pull that sums over all entries of even rows. A warp takes 32 rows, reads their entries in order,
// whatever rows they belong to, and leaves the products in shared memory. Each thread then adds those of one
// row, in order. (CSR-Stream of Greathouse and Daga, Efficient sparse matrix-vector multiplication on GPUs
// using the CSR storage format, SC 2014.)
#ifndef GRID_PRODUCT_ROW_BLOCKS_CUH
#define GRID_PRODUCT_ROW_BLOCKS_CUH
#include "product.cuh"

enum {
  GRID_ROW_BLOCK_UNROLL = 8,                         // entries that a thread has in flight
  GRID_ROW_BLOCK_STEP = 32 * GRID_ROW_BLOCK_UNROLL,  // and a warp
  // a free word after 32 products: rows of 8, 16 or 32 entries then begin in different banks
  GRID_ROW_BLOCK_CAPACITY = GRID_ROW_BLOCK_STEP + GRID_ROW_BLOCK_STEP / 32
};

// Blocks on a multiprocessor with values of type T: as many as have registers for all loads in flight.
#define GRID_ROW_BLOCK_RESIDENT(T) (sizeof(T) > 4 ? 3 : 4)

// A warp's shared memory.
template <class O>
struct grid_row_block {
  typename O::z_t product[GRID_ROW_BLOCK_CAPACITY];
  uint32_t present[GRID_ROW_BLOCK_UNROLL];  // a bit a product; unused if x is full
};

// The products of entries at .. last - 1, at most GRID_ROW_BLOCK_STEP; absent ones are O::start().
template <class O>
GRID_FN void grid_row_block_products(const grid_product_job &J, const typename O::a_t &a1, uint64_t at,
                                     uint32_t last, grid_row_block<O> *block) {
  const unsigned lane = threadIdx.x & 31;
  uint32_t k[GRID_ROW_BLOCK_UNROLL];
  typename O::a_t a[GRID_ROW_BLOCK_UNROLL];
  typename O::x_t x[GRID_ROW_BLOCK_UNROLL];
  bool in[GRID_ROW_BLOCK_UNROLL];
  typename O::z_t t[GRID_ROW_BLOCK_UNROLL];
  // first the loads of all indices and values, then those of x
#pragma unroll
  for (int u = 0; u < GRID_ROW_BLOCK_UNROLL; u++) {
    const uint64_t e = at + 32 * u + lane;
    in[u] = e < last;
    k[u] = in[u] ? __ldcs(J.idx + e) : 0;
    a[u] = in[u] ? grid_value_of<O>(J, a1, e) : a1;
  }
  if (J.xbits)
#pragma unroll
    for (int u = 0; u < GRID_ROW_BLOCK_UNROLL; u++) in[u] = in[u] && grid_half_bit(J.xbits, k[u]);
#pragma unroll
  for (int u = 0; u < GRID_ROW_BLOCK_UNROLL; u++)
    if (in[u]) x[u] = grid_x_of<O>(J, k[u]);
#pragma unroll
  for (int u = 0; u < GRID_ROW_BLOCK_UNROLL; u++)
    t[u] = in[u] ? grid_product_by<O>(J, a[u], x[u], k[u]) : O::start();
#pragma unroll
  for (int u = 0; u < GRID_ROW_BLOCK_UNROLL; u++) {
    block->product[33 * u + lane] = t[u];
    const uint32_t present = __ballot_sync(~0u, in[u]);
    if (lane == 0) block->present[u] = present;
  }
}

// Adds products from .. to - 1 of those at hand to *z. Returns whether one is present.
template <class O>
GRID_FN bool grid_row_block_sum(const grid_product_job &J, const grid_row_block<O> *block, uint32_t from,
                                uint32_t to, typename O::z_t *z) {
  bool has = !J.xbits && from < to;
  for (uint32_t i = from; i < to; i++) {
    *z = O::add(*z, block->product[i + i / 32]);
    if (J.xbits) has = has || (block->present[i / 32] >> (i & 31) & 1);
  }
  return has;
}

template <class O>
GRID_FN void grid_pull_row_blocks(const grid_product_job &J, const typename O::a_t &a1) {
  typedef typename O::z_t z_t;
  __shared__ grid_row_block<O> blocks[GRID_PRODUCT_THREADS / 32];
  grid_row_block<O> *const block = blocks + threadIdx.x / 32;
  z_t *y = (z_t *)J.y;
  const uint64_t found = grid_walk_rows(J, false, [&](uint32_t v, bool todo, bool has_value) {
    const uint32_t rows = __ballot_sync(~0u, todo);  // not empty
    const uint32_t from = todo ? J.ptr[v] : 0, to = todo ? J.ptr[v + 1] : 0,
                   first = __shfl_sync(~0u, from, __ffs(rows) - 1),
                   last = __shfl_sync(~0u, to, 31 - __clz(rows));
    z_t z = O::start();
    bool has = false;
    for (uint64_t at = first; at < last; at += GRID_ROW_BLOCK_STEP) {
      const uint64_t end = at + GRID_ROW_BLOCK_STEP;
      grid_row_block_products<O>(J, a1, at, last, block);
      __syncwarp();
      const uint64_t lo = from > at ? from : at, hi = to < end ? to : end;
      if (todo && lo < hi)
        has |= grid_row_block_sum<O>(J, block, (uint32_t)(lo - at), (uint32_t)(hi - at), &z);
      __syncwarp();
    }
    if (todo && has) y[v] = has_value ? O::add(y[v], z) : z;
    return todo && (has || has_value);
  });
  grid_add_counts(J, found, 0);
  grid_finish_counts(J, 0);
}
#endif
