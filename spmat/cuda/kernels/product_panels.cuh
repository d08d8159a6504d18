// A pull by column panels (spmat/matrix/column_panels.h) that reads no values of M. One block a
// multiprocessor loads the elements of x of a panel to shared memory, and its warps take the panel's tiles. A
// thread adds 32 entries that follow each other, whose ranks the tile has in an order that makes its loads
// contiguous. So a tile needs one segmented scan, for the vectors that threads share. A second kernel adds an
// output's sums of all panels. The order of the sums depends only on the matrix.
#ifndef GRID_PRODUCT_PANELS_CUH
#define GRID_PRODUCT_PANELS_CUH
#include "product_tiles.cuh"

// The elements of x that are in shared memory: those of ranks first .. first + last.
template <class O>
struct grid_panel_hubs {
  const typename O::x_t *x;
  uint32_t first, last;
};

// x's element of rank k. A thread reads one of the hubs in any case, which spares a branch.
template <class O>
GRID_FN typename O::x_t grid_panel_x(const grid_product_job &J, uint32_t k, const grid_panel_hubs<O> &hubs) {
  const uint32_t at = k - hubs.first;
  typename O::x_t x = hubs.x[min(at, hubs.last)];
  if (at > hubs.last) x = ((const typename O::x_t *)J.x)[k];
  return x;
}

// Adds one entry to *sum.
template <class O, grid_tile_x how>
GRID_FN void grid_panel_add(const grid_product_job &J, const typename O::a_t &a1, const typename O::x_t &x,
                            uint32_t k, grid_tile_sum<O> *sum) {
  if (how == GRID_X_DEGREE_ORDERED && !grid_half_bit(J.xbits, k)) return;
  if (how == GRID_X_SENTINELS && grid_is_sentinel(x)) return;
  const typename O::z_t t = grid_product_by<O>(J, a1, x, k);
  sum->z = O::add(sum->z, t);  // O::start() at first
  sum->has_value = true;
}

// Stores the sum of the vector that is open at a tile's end. The vector's own place has the tile's number,
// which leads to the tiles after it.
template <class O>
GRID_FN void grid_panel_store_open(const grid_product_job &J, uint64_t tile, uint32_t number,
                                   const grid_tile_sum<O> &sum) {
  grid_tile_sum<O> stored = sum;
  const uint32_t at = (uint32_t)tile;
  ((typename O::z_t *)J.open)[tile] = sum.z;
  memcpy(&stored.z, &at, sizeof at);
  grid_tile_store<O>(J, number, stored, true);
}

// This thread's 32 entries. `leading` is the sum before the first vector that begins among them, `open` the
// one left open at their end (all, if none begins). begins: a bit an entry; r: vectors that begin before
// them.
template <class O, grid_tile_x how>
GRID_FN void grid_panel_entries(const grid_product_job &J, const typename O::a_t &a1,
                                const grid_panel_hubs<O> &hubs, const uint4 *from, uint32_t begins,
                                uint32_t r, grid_tile_sum<O> *leading, grid_tile_sum<O> *open) {
  typedef typename O::z_t z_t;
  constexpr bool full = how == GRID_X_FULL;
  constexpr int WIDTH = sizeof(typename O::x_t) > 4 ? GRID_TILE_WIDTH : 2 * GRID_TILE_WIDTH;  // in flight
  bool closed = false;
  uint4 next[2] = {__ldcs(from), __ldcs(from + 32)};
#pragma unroll 1
  for (int step = 0; step < GRID_BALANCED_TILE / (2 * GRID_TILE_STEP); step++) {
    const uint32_t k[8] = {next[0].x, next[0].y, next[0].z, next[0].w,
                           next[1].x, next[1].y, next[1].z, next[1].w};
    from += 64;
    if (step + 1 < GRID_BALANCED_TILE / (2 * GRID_TILE_STEP))
      next[0] = __ldcs(from), next[1] = __ldcs(from + 32);  // beside the products
#pragma unroll
    for (int j0 = 0; j0 < 8; j0 += WIDTH, begins >>= WIDTH) {
      typename O::x_t x[WIDTH];
#pragma unroll
      for (int j = 0; j < WIDTH; j++) x[j] = grid_panel_x<O>(J, k[j0 + j], hubs);
#pragma unroll
      for (int j = 0; j < WIDTH; j++) {
        if (begins >> j & 1) {
          if (!closed)
            *leading = *open;
          else if (full)
            ((z_t *)J.sums)[r - 1] = open->z;
          else
            grid_tile_store<O>(J, r - 1, *open, false);
          closed = true;
          r++;
          *open = grid_tile_sum<O>::empty();
        }
        grid_panel_add<O, how>(J, a1, x[j], k[j0 + j], open);
      }
    }
  }
}

// One tile, by a warp.
template <class O, grid_tile_x how>
GRID_FN void grid_pull_panel_tile(const grid_product_job &J, const typename O::a_t &a1,
                                  const grid_panel_hubs<O> &hubs, uint64_t tile) {
  const int lane = (int)(threadIdx.x & 31);
  const uint32_t begins = J.row_start[tile * (GRID_BALANCED_TILE / 32) + lane], first = J.before[tile];
  uint32_t before = __popc(begins);  // vectors that begin before this thread's entries
  for (int d = 1; d < 32; d *= 2) {
    const uint32_t below = __shfl_up_sync(~0u, before, d);
    if (lane >= d) before += below;
  }
  const uint32_t end = first + __shfl_sync(~0u, before, 31);
  before += first - __popc(begins);
  grid_tile_sum<O> leading = grid_tile_sum<O>::empty(), open = leading, sum;
  grid_panel_entries<O, how>(J, a1, hubs, (const uint4 *)(J.idx + tile * GRID_BALANCED_TILE) + lane, begins,
                             before, &leading, &open);
  // the lane where the vector that is open at this lane's end begins
  const uint32_t nonempty_begin = __ballot_sync(~0u, begins != 0) & (~0u >> (31 - lane));
  grid_tile_scan<O>(&open, nonempty_begin ? 31 - __clz(nonempty_begin) : 0);
  // of the vector that was open before this thread's entries
  sum.z = grid_shuffle_up(open.z, 1);
  sum.has_value = __shfl_up_sync(~0u, open.has_value, 1);
  if (begins) {
    if (lane == 0) sum = grid_tile_sum<O>::empty();
    sum.add(leading);
    if (before != first)
      grid_tile_store<O>(J, before - 1, sum, false);
    else
      grid_tile_store_leading<O>(J, tile, sum, true);
  }
  if (lane != 31) return;
  if (end == first)
    grid_tile_store_leading<O>(J, tile, open, false);
  else
    grid_panel_store_open<O>(J, tile, end - 1, open);
}

// The elements of x of a panel, to shared memory. All threads of the block call.
template <class O>
GRID_FN grid_panel_hubs<O> grid_load_hubs(const grid_product_job &J, uint32_t panel, typename O::x_t *to) {
  const uint64_t first = panel * (uint64_t)J.panel_columns, rest = J.ends - first,
                 n = rest < J.hubs ? rest : J.hubs;
  const typename O::x_t *const x = (const typename O::x_t *)J.x + first;
  for (uint64_t k = threadIdx.x; k < n; k += blockDim.x) to[k] = x[k];
  __syncthreads();
  return grid_panel_hubs<O>{to, (uint32_t)first, (uint32_t)n - 1};
}

// Panel by panel. A tile that two panels share belongs to the first. The rest keeps the last panel's hubs.
template <class O, grid_tile_x how>
GRID_FN void grid_pull_all_panels(const grid_product_job &J, const typename O::a_t &a1,
                                  typename O::x_t *shared) {
  const uint64_t warps = gridDim.x * (uint64_t)(blockDim.x / 32);
  uint64_t tile = blockIdx.x * (uint64_t)(blockDim.x / 32) + threadIdx.x / 32;
  grid_panel_hubs<O> hubs = {shared, 0, 0};
  for (uint32_t p = 0; p <= J.panels; p++) {
    const uint64_t end = J.first_tile[p + 1];
    if (!__syncthreads_or(tile < end)) continue;  // the hubs before are not read any more
    if (p < J.panels) hubs = grid_load_hubs<O>(J, p, shared);
    for (; tile < end; tile += warps) grid_pull_panel_tile<O, how>(J, a1, hubs, tile);
  }
}

// As many blocks as multiprocessors.
template <class O>
GRID_FN void grid_pull_panels(const grid_product_job &J, const typename O::a_t &a1) {
  extern __shared__ uint64_t grid_shared_x[];
  typename O::x_t *shared = (typename O::x_t *)grid_shared_x;
  if (!J.xbits)
    grid_pull_all_panels<O, GRID_X_FULL>(J, a1, shared);
  else if (J.mark_collision && *J.mark_collision == 0)
    grid_pull_all_panels<O, GRID_X_SENTINELS>(J, a1, shared);
  else
    grid_pull_all_panels<O, GRID_X_DEGREE_ORDERED>(J, a1, shared);
}

// ---- the second kernel ------------------------------------------------------------------------------------

// What GRID_PANEL_BLOCK outputs have of the panels so far, in shared memory; and their vectors of each panel.
template <class O>
struct grid_panel_block {
  typename O::z_t z[GRID_PANEL_BLOCK];
  uint32_t has_value[GRID_PANEL_BLOCK / 32];
  uint32_t from[GRID_COLUMN_PANELS + 1], to[GRID_COLUMN_PANELS + 1];
  __device__ __forceinline__ void add(uint32_t v, const typename O::z_t &sum) {
    const uint32_t bit = 1u << (v & 31);
    // a panel has one vector an output: nobody else changes z[v]
    const bool has = (atomicOr(has_value + v / 32, bit) & bit) != 0;
    z[v] = has ? O::add(z[v], sum) : sum;
  }
};

// Completes the sum of a vector that is open at a tile's end, where `open`. Whole warps call.
template <class O>
GRID_FN void grid_panel_complete(const grid_product_job &J, bool open, grid_tile_sum<O> *sum) {
  if (!__any_sync(~0u, open)) return;
  uint32_t tile = 0;
  bool ends = !open;
  if (open) {
    memcpy(&tile, &sum->z, sizeof tile);
    sum->z = ((const typename O::z_t *)J.open)[tile];
  }
  uint64_t next = (uint64_t)tile + 1;
  for (int i = 0; i < 2 && !ends; i++) sum->add(grid_tile_leading<O>(J, next++, &ends));
  grid_tile_add_far<O>(J, ends, next, sum);
}

// Adds the vectors from .. to - 1 of one panel. All threads of the block call.
template <class O>
GRID_FN void grid_add_panel(const grid_product_job &J, uint32_t from, uint32_t to,
                            grid_panel_block<O> *block) {
  constexpr int N = 4;  // in flight
  for (uint64_t first = from; first < to; first += N * blockDim.x) {
    uint32_t v[N];
    grid_tile_sum<O> sum[N];
#pragma unroll
    for (int j = 0; j < N; j++) {
      const uint64_t i = first + j * blockDim.x + threadIdx.x;
      v[j] = 0, sum[j] = grid_tile_sum<O>::empty();
      if (i >= to) continue;
      v[j] = J.vector[i], sum[j].z = ((const typename O::z_t *)J.sums)[i];
      sum[j].has_value = !J.xbits || J.sum_state[i] & GRID_SUM_NONEMPTY;
    }
#pragma unroll
    for (int j = 0; j < N; j++) {
      grid_panel_complete<O>(J, (v[j] & GRID_PANEL_OPEN) != 0, sum + j);
      if (sum[j].has_value) block->add(v[j] % GRID_PANEL_BLOCK, sum[j].z);
    }
  }
}

template <class O>
GRID_FN uint32_t grid_write_panel_block(const grid_product_job &J, uint64_t number, uint64_t blocks,
                                        grid_panel_block<O> *block) {
  uint32_t count = 0;
  for (uint32_t w = threadIdx.x; w < GRID_PANEL_BLOCK / 32; w += blockDim.x) block->has_value[w] = 0;
  for (uint32_t p = threadIdx.x; p <= J.panels; p += blockDim.x) {
    const uint32_t *const start = J.block_start + p * (blocks + 1) + number;
    block->from[p] = start[0], block->to[p] = start[1];
  }
  __syncthreads();
  for (uint32_t p = 0; p <= J.panels; p++) {
    grid_add_panel<O>(J, block->from[p], block->to[p], block);
    __syncthreads();
  }
  for (uint32_t v = threadIdx.x; v < GRID_PANEL_BLOCK; v += blockDim.x) {
    const bool has_value = block->has_value[v / 32] >> (v & 31) & 1;
    count += grid_tile_write<O>(J, has_value, (uint32_t)(number * GRID_PANEL_BLOCK + v),
                                grid_tile_sum<O>{block->z[v], has_value});
  }
  __syncthreads();
  return count;
}

template <class O>
GRID_FN void grid_pull_panel_sums(const grid_product_job &J, const typename O::a_t &) {
  if constexpr (sizeof(typename O::z_t) == 4 || sizeof(typename O::z_t) == 8) {
    __shared__ grid_panel_block<O> block;
    const uint64_t blocks = (J.ny + GRID_PANEL_BLOCK - 1) / GRID_PANEL_BLOCK;
    uint32_t count = 0;
    for (uint64_t number = blockIdx.x; number < blocks; number += gridDim.x)
      count += grid_write_panel_block<O>(J, number, blocks, &block);
    grid_finish_tile_sums(J, count);
  }
}
#endif
