// A pull that sums over all entries, balanced by entries: a warp takes a tile of them
// (spmat/matrix/balanced_tiles.h), four a thread at a time, and adds those of one vector by a segmented scan.
// Vectors that begin and end in a tile are written at once. A second kernel combines each tile's sums of the
// vector that was open before it and of the one that stays open after it. The order of the sums depends only
// on the matrix.
#ifndef GRID_PRODUCT_TILES_CUH
#define GRID_PRODUCT_TILES_CUH
#include "product.cuh"

enum { GRID_TILE_STEP = 128 };  // entries of a tile that a warp has in flight

// A partial sum; an empty one has z = O::start().
template <class O>
struct grid_tile_sum {
  typename O::z_t z;
  bool has_value;
  GRID_FN grid_tile_sum empty() { return grid_tile_sum{O::start(), false}; }
  __device__ __forceinline__ void add(const typename O::z_t &t) {
    z = has_value ? O::add(z, t) : t;
    has_value = true;
  }
  __device__ __forceinline__ void add(const grid_tile_sum &t) {
    if (t.has_value) add(t.z);
  }
};

// A value of any type from the lane d further down.
template <class T>
GRID_FN T grid_shuffle_up(const T &v, int d) {
  uint32_t w[(sizeof(T) + 3) / 4] = {0};
  T r;
  memcpy(w, &v, sizeof v);
#pragma unroll
  for (int k = 0; k < (int)((sizeof(T) + 3) / 4); k++) w[k] = __shfl_up_sync(~0u, w[k], d);
  memcpy(&r, w, sizeof r);
  return r;
}

// The value of lane `from`.
template <class T>
GRID_FN T grid_shuffle_from(const T &v, int from) {
  uint32_t w[(sizeof(T) + 3) / 4] = {0};
  T r;
  memcpy(w, &v, sizeof v);
#pragma unroll
  for (int k = 0; k < (int)((sizeof(T) + 3) / 4); k++) w[k] = __shfl_sync(~0u, w[k], from);
  memcpy(&r, w, sizeof r);
  return r;
}

// Stores the complete sum of the number-th nonempty vector. Returns 1 if it had no value before.
template <class O>
GRID_FN uint32_t grid_tile_close(const grid_product_job &J, uint32_t number, const grid_tile_sum<O> &sum) {
  typename O::z_t *y = (typename O::z_t *)J.y;
  if (!sum.has_value) return 0;
  const uint32_t v = J.vector[number];
  if (!grid_is_allowed(J, v)) return 0;
  const bool is_new = grid_claim(J, v);
  y[v] = is_new ? sum.z : O::add(y[v], sum.z);
  return is_new;
}

// Bits lo .. hi.
GRID_FN uint32_t grid_bits_between(int lo, int hi) {
  return (~0u << lo) & (~0u >> (31 - hi));
}

// The four entries from e on, of a matrix of n.
GRID_FN void grid_tile_load(const grid_product_job &J, uint64_t e, uint32_t k[4]) {
  if (e + 4 <= J.entries) {
    const uint4 all = __ldcs((const uint4 *)(J.idx + e));
    k[0] = all.x, k[1] = all.y, k[2] = all.z, k[3] = all.w;
  } else {
#pragma unroll
    for (int j = 0; j < 4; j++) k[j] = e + j < J.entries ? J.idx[e + j] : 0;
  }
}

// How a pull by balanced tiles finds x's elements: unchanged; in order of degree, the first of them in shared
// memory; the same with GRID_X_SENTINEL for absent ones, so that one load gives both.
enum grid_tile_x { GRID_X_BOUND, GRID_X_DEGREE_ORDERED, GRID_X_SENTINELS };

template <class T>
GRID_FN bool grid_is_sentinel(const T &x) {
  uint32_t w[2] = {0, 0};
  if constexpr (sizeof(T) != 4 && sizeof(T) != 8) return false;
  memcpy(w, &x, sizeof(T) < 8 ? sizeof(T) : 8);
  return w[0] == GRID_X_SENTINEL && (sizeof(T) == 4 || w[1] == GRID_X_SENTINEL);
}

// x's element of rank k. hub: the first J.hubs of them.
template <class O>
GRID_FN typename O::x_t grid_degree_order_x(const grid_product_job &J, uint32_t k,
                                            const typename O::x_t *hub) {
  return k < J.hubs ? hub[k] : ((const typename O::x_t *)J.x)[k];
}

// in[j]: does entry e + j, whose other end is k[j], have a product? Then t[j] is it.
template <class O, grid_tile_x how>
GRID_FN void grid_tile_products(const grid_product_job &J, const typename O::a_t &a1,
                                const typename O::x_t *hub, uint64_t e, const uint32_t k[4], bool in[4],
                                typename O::z_t t[4]) {
#pragma unroll
  for (int j = 0; j < 4; j++) in[j] = e + j < J.entries && (how == GRID_X_SENTINELS || grid_is_in_x(J, k[j]));
  if constexpr (how == GRID_X_BOUND) {
#pragma unroll
    for (int j = 0; j < 4; j++)
      t[j] = in[j] ? grid_product_of<O>(J, a1, (uint32_t)(e + j), k[j], k[j]) : O::start();
  } else {
    typename O::x_t x[4];
    // all loads are in flight together
#pragma unroll
    for (int j = 0; j < 4; j++) {
      if (!in[j]) continue;
      x[j] = grid_degree_order_x<O>(J, k[j], hub);
      t[j] = grid_multiply_entry<O>(J, a1, (uint32_t)(e + j), x[j]);
    }
#pragma unroll
    for (int j = 0; j < 4; j++) {
      if (how == GRID_X_SENTINELS) in[j] = in[j] && !grid_is_sentinel(x[j]);
      if (!in[j]) t[j] = O::start();
    }
  }
}

// This thread's four entries: `lead` is the sum before the first vector that begins among them, `open` the
// one left open at their end (all, if none begins). begins: a bit an entry; r: vectors that begin before
// them.
template <class O, grid_tile_x how>
GRID_FN uint32_t grid_tile_four(const grid_product_job &J, const typename O::a_t &a1,
                                const typename O::x_t *hub, uint64_t e, uint32_t begins, uint32_t r,
                                grid_tile_sum<O> *leading, grid_tile_sum<O> *open) {
  uint32_t k[4], found = 0;
  bool in[4];
  typename O::z_t t[4];
  grid_tile_load(J, e, k);
  grid_tile_products<O, how>(J, a1, hub, e, k, in, t);
  bool closed = false;
#pragma unroll
  for (int j = 0; j < 4; j++) {
    if (begins >> j & 1) {
      if (closed)
        found += grid_tile_close<O>(J, r - 1, *open);
      else
        *leading = *open;
      closed = true;
      r++;
      *open = grid_tile_sum<O>::empty();
    }
    if (in[j]) open->add(t[j]);
  }
  return found;
}

// open becomes the sum over the lanes from `lo`, where its vector begins, to this one.
template <class O>
GRID_FN void grid_tile_scan(grid_tile_sum<O> *open, int lo) {
  const int lane = (int)(threadIdx.x & 31);
  const uint32_t have = __ballot_sync(~0u, open->has_value);
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    const typename O::z_t other = grid_shuffle_up(open->z, d);
    if (lane - d >= lo) open->z = O::add(other, open->z);
  }
  open->has_value = (have & grid_bits_between(lo, lane)) != 0;
}

// One tile, by a warp. Returns this thread's number of outputs that had no value before.
template <class O, grid_tile_x how>
GRID_FN uint64_t grid_pull_tile(const grid_product_job &J, const typename O::a_t &a1,
                                const typename O::x_t *hub, uint64_t tile) {
  typedef typename O::z_t z_t;
  const int lane = (int)(threadIdx.x & 31);
  const uint32_t word = J.row_start[tile * (GRID_BALANCED_TILE / 32) + lane], first = J.before[tile];
  uint32_t before = __popc(word);  // vectors that begin before this thread's word
  for (int d = 1; d < 32; d *= 2) {
    const uint32_t below = __shfl_up_sync(~0u, before, d);
    if (lane >= d) before += below;
  }
  before += first - __popc(word);
  grid_tile_sum<O> carry = grid_tile_sum<O>::empty();
  uint64_t found = 0;
  for (int s = 0; s < GRID_BALANCED_TILE / GRID_TILE_STEP; s++) {
    const int from = GRID_TILE_STEP / 32 * s + lane / 8, shift = 4 * (lane & 7);
    const uint32_t w = __shfl_sync(~0u, word, from), begins = w >> shift & 15,
                   r = __shfl_sync(~0u, before, from) + __popc(w & ((1u << shift) - 1));
    grid_tile_sum<O> leading = grid_tile_sum<O>::empty(), open = lane == 0 ? carry : leading;
    found += grid_tile_four<O, how>(J, a1, hub, tile * GRID_BALANCED_TILE + GRID_TILE_STEP * s + 4 * lane,
                                    begins, r, &leading, &open);
    // the lane where the vector that is open at this lane's end begins
    const uint32_t nonempty_begin = __ballot_sync(~0u, begins != 0) & (~0u >> (31 - lane));
    grid_tile_scan<O>(&open, nonempty_begin ? 31 - __clz(nonempty_begin) : 0);
    grid_tile_sum<O> sum;  // of the vector that was open before this thread's entries
    sum.z = grid_shuffle_up(open.z, 1);
    sum.has_value = __shfl_up_sync(~0u, open.has_value, 1);
    if (begins) {
      if (lane == 0) sum = grid_tile_sum<O>::empty();  // its lead has the carry
      sum.add(leading);
      if (r != first) {
        found += grid_tile_close<O>(J, r - 1, sum);
      } else {
        ((z_t *)J.leading)[tile] = sum.z;
        J.lead_nonempty[tile] = sum.has_value;
      }
    }
    carry.z = grid_shuffle_from(open.z, 31);
    carry.has_value = __shfl_sync(~0u, open.has_value, 31);
  }
  if (lane == 0) {
    const bool open_before = J.before[tile + 1] == first;  // none begins in this tile
    ((z_t *)(open_before ? J.leading : J.tail))[tile] = carry.z;
    (open_before ? J.lead_nonempty : J.tail_nonempty)[tile] = carry.has_value;
  }
  return found;
}

template <class O>
GRID_FN void grid_pull_tiles(const grid_product_job &J, const typename O::a_t &a1) {
  const uint64_t tile = blockIdx.x * (uint64_t)(blockDim.x / 32) + threadIdx.x / 32;
  if (tile < J.balanced_tiles) grid_add_counts(J, grid_pull_tile<O, GRID_X_BOUND>(J, a1, NULL, tile), 0);
}

template <class O, grid_tile_x how>
GRID_FN uint64_t grid_pull_all_tiles(const grid_product_job &J, const typename O::a_t &a1,
                                     const typename O::x_t *hub) {
  const uint64_t warps = gridDim.x * (uint64_t)(blockDim.x / 32);
  uint64_t found = 0;
  for (uint64_t tile = blockIdx.x * (uint64_t)(blockDim.x / 32) + threadIdx.x / 32; tile < J.balanced_tiles;
       tile += warps)
    found += grid_pull_tile<O, how>(J, a1, hub, tile);
  return found;
}

// As many blocks as multiprocessors.
template <class O>
GRID_FN void grid_pull_degree_ordered(const grid_product_job &J, const typename O::a_t &a1) {
  extern __shared__ uint64_t grid_hubs[];
  typename O::x_t *hub = (typename O::x_t *)grid_hubs;
  const bool marked = J.mark_collision && *J.mark_collision == 0;
  for (uint64_t k = threadIdx.x; k < J.hubs; k += blockDim.x) hub[k] = ((const typename O::x_t *)J.x)[k];
  __syncthreads();
  grid_add_counts(J,
                  marked ? grid_pull_all_tiles<O, GRID_X_SENTINELS>(J, a1, hub)
                         : grid_pull_all_tiles<O, GRID_X_DEGREE_ORDERED>(J, a1, hub),
                  0);
}

// A tile's sum for the vector that was open before it. *stops: no more of that vector follows.
template <class O>
GRID_FN grid_tile_sum<O> grid_tile_leading(const grid_product_job &J, uint64_t tile, bool *stops) {
  grid_tile_sum<O> leading = grid_tile_sum<O>::empty();
  *stops = true;
  if (tile >= J.balanced_tiles || J.row_start[tile * (GRID_BALANCED_TILE / 32)] & 1) return leading;
  *stops = J.before[tile] != J.before[tile + 1];
  if (J.lead_nonempty[tile]) leading.add(((const typename O::z_t *)J.leading)[tile]);
  return leading;
}

// Each thread has a tile, and completes the vector that is open after it: a few tiles alone, more with the
// whole warp.
template <class O>
GRID_FN void grid_pull_borders(const grid_product_job &J, const typename O::a_t &) {
  const uint64_t tile = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;
  const int lane = (int)(threadIdx.x & 31);
  const bool opens = tile < J.balanced_tiles && J.before[tile + 1] != J.before[tile];
  grid_tile_sum<O> sum = grid_tile_sum<O>::empty();
  bool stops = !opens;
  uint64_t next = tile + 1;
  if (opens && J.tail_nonempty[tile]) sum.add(((const typename O::z_t *)J.tail)[tile]);
  for (int i = 0; i < 4 && !stops; i++) sum.add(grid_tile_leading<O>(J, next++, &stops));
  for (uint32_t far = __ballot_sync(~0u, !stops); far; far &= far - 1) {
    const int b = __ffs(far) - 1;
    grid_tile_sum<O> mine = grid_tile_sum<O>::empty();
    uint64_t at = __shfl_sync(~0u, next, b);
    for (uint32_t ends = 0; !ends; at += 32) {
      bool is_lead;
      const grid_tile_sum<O> leading = grid_tile_leading<O>(J, at + lane, &is_lead);
      ends = __ballot_sync(~0u, is_lead);
      if (!ends || lane <= __ffs(ends) - 1) mine.add(leading);
    }
    for (int d = 16; d > 0; d /= 2) {
      const typename O::z_t z = grid_shuffle_down(mine.z, d);
      const bool has_value = __shfl_down_sync(~0u, mine.has_value, d);
      if (has_value && lane + d < 32) mine.add(z);
    }
    const typename O::z_t total = grid_shuffle_from_first(mine.z);
    if (__shfl_sync(~0u, mine.has_value, 0) && lane == b) sum.add(total);
  }
  const uint64_t found = opens ? grid_tile_close<O>(J, J.before[tile + 1] - 1, sum) : 0;
  grid_add_counts(J, found, 0);
}
#endif
