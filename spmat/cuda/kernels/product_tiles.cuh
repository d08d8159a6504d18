// A pull that sums over all entries, balanced by entries. A warp takes a tile of them
// (spmat/matrix/balanced_tiles.h), four a thread at a time, and adds those of one vector by a segmented scan.
// Sums are stored by the vectors' numbers, without a load in between. A second kernel adds to the vector that
// is open at a tile's end what the next tiles have of it, and writes all vectors to y. The order of the sums
// depends only on the matrix.
#ifndef GRID_PRODUCT_TILES_CUH
#define GRID_PRODUCT_TILES_CUH
#include "product.cuh"

enum {
  GRID_TILE_WIDTH = 4,
  GRID_TILE_STEP = 32 * GRID_TILE_WIDTH
};  // entries that a thread, a warp has in flight

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

// State of a vector's sum: OPEN: the vector continues in the next tile. State of a tile's leading sum, for
// the vector that was open before the tile: ENDS: that vector ends in this tile.
enum { GRID_SUM_NONEMPTY = 1, GRID_SUM_OPEN = 2 };
enum { GRID_LEADING_NONEMPTY = 1, GRID_LEADING_ENDS = 2 };

// Stores the sum of the number-th nonempty vector; open: as far as this tile has it.
template <class O>
GRID_FN void grid_tile_store(const grid_product_job &J, uint32_t number, const grid_tile_sum<O> &sum,
                             bool open) {
  ((typename O::z_t *)J.sums)[number] = sum.z;
  J.sum_state[number] = (sum.has_value ? GRID_SUM_NONEMPTY : 0) | (open ? GRID_SUM_OPEN : 0);
}

// Stores what a tile has of the vector that was open before it; ends: it has the last of it.
template <class O>
GRID_FN void grid_tile_store_leading(const grid_product_job &J, uint64_t tile, const grid_tile_sum<O> &sum,
                                     bool ends) {
  ((typename O::z_t *)J.leading)[tile] = sum.z;
  J.leading_state[tile] = (sum.has_value ? GRID_LEADING_NONEMPTY : 0) | (ends ? GRID_LEADING_ENDS : 0);
}

// Bits lo .. hi.
GRID_FN uint32_t grid_bits_between(int lo, int hi) {
  return (~0u << lo) & (~0u >> (31 - hi));
}

// The N entries from e on.
template <int N>
GRID_FN void grid_tile_load(const grid_product_job &J, uint64_t e, uint32_t k[N]) {
  if (e + N <= J.entries) {
#pragma unroll
    for (int j = 0; j < N; j += 4) {
      const uint4 four = __ldcs((const uint4 *)(J.idx + e + j));
      k[j] = four.x, k[j + 1] = four.y, k[j + 2] = four.z, k[j + 3] = four.w;
    }
  } else {
#pragma unroll
    for (int j = 0; j < N; j++) k[j] = e + j < J.entries ? J.idx[e + j] : 0;
  }
}

// M's values of the N entries from e on: by 16 bytes where they are aligned.
template <class O, int N>
GRID_FN void grid_tile_load_values(const grid_product_job &J, const typename O::a_t &a1, uint64_t e,
                                   typename O::a_t a[N]) {
  typedef typename O::a_t a_t;
  const a_t *const from = (const a_t *)J.a + e;
  if constexpr (O::uses_a_values && (sizeof(a_t) == 4 || sizeof(a_t) == 8)) {
    if (J.a && e + N <= J.entries && (uint64_t)from % sizeof(uint4) == 0) {
      constexpr int WORDS = N * sizeof(a_t) / 16;
      uint4 word[WORDS];
#pragma unroll
      for (int w = 0; w < WORDS; w++) word[w] = __ldcs((const uint4 *)from + w);
      memcpy(a, word, sizeof word);
      return;
    }
  }
#pragma unroll
  for (int j = 0; j < N; j++) a[j] = O::uses_a_values && J.a && e + j < J.entries ? from[j] : a1;
}

// How a pull by balanced tiles finds x's elements: unchanged; in order of degree, some of them in shared
// memory; the same with GRID_X_SENTINEL for absent ones, where one load gives presence and value; the same
// with none absent.
enum grid_tile_x { GRID_X_BOUND, GRID_X_DEGREE_ORDERED, GRID_X_SENTINELS, GRID_X_FULL };

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
template <class O, grid_tile_x how, int N>
GRID_FN void grid_tile_products(const grid_product_job &J, const typename O::a_t &a1,
                                const typename O::x_t *hub, uint64_t e, const uint32_t k[N], bool in[N],
                                typename O::z_t t[N]) {
#pragma unroll
  for (int j = 0; j < N; j++) in[j] = e + j < J.entries && (how == GRID_X_SENTINELS || grid_is_in_x(J, k[j]));
  // all loads are in flight together
  typename O::a_t a[N];
  typename O::x_t x[N];
  grid_tile_load_values<O, N>(J, a1, e, a);
#pragma unroll
  for (int j = 0; j < N; j++)
    if (in[j]) x[j] = how == GRID_X_BOUND ? grid_x_of<O>(J, k[j]) : grid_degree_order_x<O>(J, k[j], hub);
#pragma unroll
  for (int j = 0; j < N; j++) {
    if (how == GRID_X_SENTINELS) in[j] = in[j] && !grid_is_sentinel(x[j]);
    t[j] = in[j] ? grid_product_by<O>(J, a[j], x[j], k[j]) : O::start();
  }
}

// This thread's N entries, whose other ends are k. `leading` is the sum before the first vector that begins
// among them, `open` the one left open at their end (all, if none begins). begins: a bit an entry; r: vectors
// that begin before them.
template <class O, grid_tile_x how, int N>
GRID_FN void grid_tile_entries(const grid_product_job &J, const typename O::a_t &a1,
                               const typename O::x_t *hub, uint64_t e, const uint32_t k[N], uint32_t begins,
                               uint32_t r, grid_tile_sum<O> *leading, grid_tile_sum<O> *open) {
  bool in[N];
  typename O::z_t t[N];
  grid_tile_products<O, how, N>(J, a1, hub, e, k, in, t);
  bool closed = false;
#pragma unroll
  for (int j = 0; j < N; j++) {
    if (begins >> j & 1) {
      if (closed)
        grid_tile_store<O>(J, r - 1, *open, false);
      else
        *leading = *open;
      closed = true;
      r++;
      *open = grid_tile_sum<O>::empty();
    }
    if (in[j]) open->add(t[j]);
  }
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

// One tile, by a warp.
template <class O, grid_tile_x how>
GRID_FN void grid_pull_tile(const grid_product_job &J, const typename O::a_t &a1, const typename O::x_t *hub,
                            uint64_t tile) {
  constexpr int N = GRID_TILE_WIDTH, STEPS = GRID_BALANCED_TILE / GRID_TILE_STEP;
  const int lane = (int)(threadIdx.x & 31);
  uint64_t e = tile * GRID_BALANCED_TILE + N * lane;
  uint32_t next[N];
  grid_tile_load<N>(J, e, next);
  const uint32_t word = J.row_start[tile * (GRID_BALANCED_TILE / 32) + lane], first = J.before[tile];
  uint32_t before = __popc(word);  // vectors that begin before this thread's word
  for (int d = 1; d < 32; d *= 2) {
    const uint32_t below = __shfl_up_sync(~0u, before, d);
    if (lane >= d) before += below;
  }
  const uint32_t end = first + __shfl_sync(~0u, before, 31);
  before += first - __popc(word);
  grid_tile_sum<O> carry = grid_tile_sum<O>::empty();
  for (int s = 0; s < STEPS; s++, e += GRID_TILE_STEP) {
    const int from = N * s + lane * N / 32, shift = lane * N & 31;
    const uint32_t w = __shfl_sync(~0u, word, from), begins = w >> shift & ((1u << N) - 1),
                   r = __shfl_sync(~0u, before, from) + __popc(w & ((1u << shift) - 1));
    static_assert(N == 4, "next has four entries");
    const uint32_t k[N] = {next[0], next[1], next[2], next[3]};
    if (s + 1 < STEPS) grid_tile_load<N>(J, e + GRID_TILE_STEP, next);  // in flight beside the products
    grid_tile_sum<O> leading = grid_tile_sum<O>::empty(), open = lane == 0 ? carry : leading;
    grid_tile_entries<O, how, N>(J, a1, hub, e, k, begins, r, &leading, &open);
    // the lane where the vector that is open at this lane's end begins
    const uint32_t nonempty_begin = __ballot_sync(~0u, begins != 0) & (~0u >> (31 - lane));
    grid_tile_scan<O>(&open, nonempty_begin ? 31 - __clz(nonempty_begin) : 0);
    grid_tile_sum<O> sum;  // of the vector that was open before this thread's entries
    sum.z = grid_shuffle_up(open.z, 1);
    sum.has_value = __shfl_up_sync(~0u, open.has_value, 1);
    if (begins) {
      if (lane == 0) sum = grid_tile_sum<O>::empty();  // its leading sum has the carry
      sum.add(leading);
      if (r != first)
        grid_tile_store<O>(J, r - 1, sum, false);
      else
        grid_tile_store_leading<O>(J, tile, sum, true);
    }
    carry.z = grid_shuffle_from(open.z, 31);
    carry.has_value = __shfl_sync(~0u, open.has_value, 31);
  }
  if (lane != 0) return;
  if (end == first)
    grid_tile_store_leading<O>(J, tile, carry, false);
  else
    grid_tile_store<O>(J, end - 1, carry, true);
}

template <class O>
GRID_FN void grid_pull_tiles(const grid_product_job &J, const typename O::a_t &a1) {
  const uint64_t tile = blockIdx.x * (uint64_t)(blockDim.x / 32) + threadIdx.x / 32;
  if (tile < J.balanced_tiles) grid_pull_tile<O, GRID_X_BOUND>(J, a1, NULL, tile);
}

template <class O, grid_tile_x how>
GRID_FN void grid_pull_all_tiles(const grid_product_job &J, const typename O::a_t &a1,
                                 const typename O::x_t *hub) {
  const uint64_t warps = gridDim.x * (uint64_t)(blockDim.x / 32);
  for (uint64_t tile = blockIdx.x * (uint64_t)(blockDim.x / 32) + threadIdx.x / 32; tile < J.balanced_tiles;
       tile += warps)
    grid_pull_tile<O, how>(J, a1, hub, tile);
}

// As many blocks as multiprocessors.
template <class O>
GRID_FN void grid_pull_degree_ordered(const grid_product_job &J, const typename O::a_t &a1) {
  extern __shared__ uint64_t grid_hubs[];
  typename O::x_t *hub = (typename O::x_t *)grid_hubs;
  const bool marked = J.mark_collision && *J.mark_collision == 0;
  for (uint64_t k = threadIdx.x; k < J.hubs; k += blockDim.x) hub[k] = ((const typename O::x_t *)J.x)[k];
  __syncthreads();
  if (marked)
    grid_pull_all_tiles<O, GRID_X_SENTINELS>(J, a1, hub);
  else
    grid_pull_all_tiles<O, GRID_X_DEGREE_ORDERED>(J, a1, hub);
}

// Writes the sum of vector v to y, a vector a thread. Returns 1 if it had no value before. All threads of a
// warp call.
template <class O>
GRID_FN uint32_t grid_tile_write(const grid_product_job &J, bool active, uint32_t v,
                                 const grid_tile_sum<O> &sum) {
  typename O::z_t *y = (typename O::z_t *)J.y;
  active = active && grid_is_allowed(J, v);
  if (J.y_full) {
    if (active) y[v] = O::add(y[v], sum.z);
    return 0;
  }
  const uint32_t all = __ballot_sync(~0u, active), bit = 1u << (v & 31);
  if (!active) return 0;
  // one atomic operation a word: neighboring threads mostly have bits of the same
  const uint32_t same = __match_any_sync(all, v >> 5), bits = __reduce_or_sync(same, bit);
  const int leader = __ffs(same) - 1;
  uint32_t old = 0;
  if ((int)(threadIdx.x & 31) == leader) old = atomicOr((uint32_t *)J.ybits + (v >> 5), bits);
  const bool is_new = !(__shfl_sync(same, old, leader) & bit);
  y[v] = is_new ? sum.z : O::add(y[v], sum.z);
  return is_new;
}

// A tile's sum for the vector that was open before it. *ends: no more of that vector follows.
template <class O>
GRID_FN grid_tile_sum<O> grid_tile_leading(const grid_product_job &J, uint64_t tile, bool *ends) {
  grid_tile_sum<O> leading = grid_tile_sum<O>::empty();
  const uint32_t state = tile < J.balanced_tiles ? J.leading_state[tile] : GRID_LEADING_ENDS;
  *ends = (state & GRID_LEADING_ENDS) != 0;
  if (state & GRID_LEADING_NONEMPTY) leading.add(((const typename O::z_t *)J.leading)[tile]);
  return leading;
}

// Adds to the sums of a warp's open vectors what tiles from `next` on have of them, by all threads.
template <class O>
GRID_FN void grid_tile_add_far(const grid_product_job &J, bool ends, uint64_t next, grid_tile_sum<O> *sum) {
  const int lane = (int)(threadIdx.x & 31);
  for (uint32_t far = __ballot_sync(~0u, !ends); far; far &= far - 1) {
    const int b = __ffs(far) - 1;
    grid_tile_sum<O> lane_sum = grid_tile_sum<O>::empty();
    uint64_t at = __shfl_sync(~0u, next, b);
    for (uint32_t any_ends = 0; !any_ends; at += 32) {
      bool its_end;
      const grid_tile_sum<O> leading = grid_tile_leading<O>(J, at + lane, &its_end);
      any_ends = __ballot_sync(~0u, its_end);
      if (!any_ends || lane <= __ffs(any_ends) - 1) lane_sum.add(leading);
    }
    for (int d = 16; d > 0; d /= 2) {
      const typename O::z_t z = grid_shuffle_down(lane_sum.z, d);
      const bool has_value = __shfl_down_sync(~0u, lane_sum.has_value, d);
      if (has_value && lane + d < 32) lane_sum.add(z);
    }
    const typename O::z_t total = grid_shuffle_from_first(lane_sum.z);
    if (__shfl_sync(~0u, lane_sum.has_value, 0) && lane == b) sum->add(total);
  }
}

// Writes the vectors that are open at the ends of tiles, a thread a tile.
template <class O>
GRID_FN uint32_t grid_write_open(const grid_product_job &J, uint64_t tile) {
  uint32_t number = 0, end = 0;
  if (tile < J.balanced_tiles) number = J.before[tile], end = J.before[tile + 1];
  const bool opens = end > number;
  grid_tile_sum<O> sum = grid_tile_sum<O>::empty();
  bool ends = !opens;
  uint64_t next = tile + 1;
  if (opens && (J.sum_state[end - 1] & GRID_SUM_NONEMPTY))
    sum.add(((const typename O::z_t *)J.sums)[end - 1]);
  for (int i = 0; i < 2 && !ends; i++) sum.add(grid_tile_leading<O>(J, next++, &ends));
  grid_tile_add_far<O>(J, ends, next, &sum);
  return grid_tile_write<O>(J, opens && sum.has_value, opens ? J.vector[end - 1] : 0, sum);
}

// Writes the vectors that end in the tile in which they begin, a thread a vector.
template <class O>
GRID_FN uint32_t grid_write_complete(const grid_product_job &J, uint64_t number) {
  grid_tile_sum<O> sum = grid_tile_sum<O>::empty();
  uint32_t v = 0;
  if (number < J.before[J.balanced_tiles]) {
    v = J.vector[number];
    sum.z = ((const typename O::z_t *)J.sums)[number];
    sum.has_value = J.sum_state[number] == GRID_SUM_NONEMPTY;
  }
  return grid_tile_write<O>(J, sum.has_value, v, sum);
}

// The end of a pull by tiles: the number of values that the threads have made. One atomic operation a block.
GRID_FN void grid_finish_tile_sums(const grid_product_job &J, uint32_t thread_count) {
  __shared__ uint32_t found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  thread_count = __reduce_add_sync(~0u, thread_count);
  if ((threadIdx.x & 31) == 0) atomicAdd(&found, thread_count);
  __syncthreads();
  if (threadIdx.x == 0 && found) atomicAdd((unsigned long long *)&J.counts->found, (unsigned long long)found);
  grid_finish_counts(J, 0);
}

// First a thread a tile, then a thread a vector.
template <class O>
GRID_FN void grid_pull_tile_sums(const grid_product_job &J, const typename O::a_t &) {
  const uint64_t width = blockDim.x, tile_threads = (J.balanced_tiles + width - 1) / width * width;
  uint32_t thread_count = 0;
  for (uint64_t at = blockIdx.x * width; at < tile_threads + J.vectors; at += gridDim.x * width) {
    const uint64_t i = at + threadIdx.x;
    thread_count +=
        at < tile_threads ? grid_write_open<O>(J, i) : grid_write_complete<O>(J, i - tile_threads);
  }
  grid_finish_tile_sums(J, thread_count);
}
#endif
