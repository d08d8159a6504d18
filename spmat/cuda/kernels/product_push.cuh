// A push, in one kernel whose blocks are all resident. It lists the frontier's nonempty vectors and the
// numbers of their edges. Then it takes the edges in equal tiles, whatever the degrees. Under ANY the thread
// that sets an output's bit writes its value. Other monoids start from O::start() and combine atomically, in
// any order. A small push takes most of its time to start and to end: several kernels would take several
// times as long.
#ifndef GRID_PRODUCT_PUSH_CUH
#define GRID_PRODUCT_PUSH_CUH
#include "product.cuh"

enum {
  GRID_PUSH_WORDS = 4,   // words of x that a thread has in flight
  GRID_PUSH_SPREAD = 4,  // words for each warp of a short x, whose visits are not in flight together
  // blocks of a multiprocessor, which all fit: 1536 threads of up to 42 registers, 76 KiB of shared memory
  GRID_PUSH_BLOCKS = 6
};

// All threads of all blocks call, for the number-th time in the kernel.
GRID_FN void grid_push_barrier(const grid_product_job &J, unsigned number) {
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(&J.counts->arrived, 1u);
    while (*(volatile unsigned *)&J.counts->arrived < number * gridDim.x) continue;
    __threadfence();
  }
  __syncthreads();
}

// ---- the frontier ---------------------------------------------------------------------------------------

// The positions 32 h .. 32 h + 31 of x to push from.
GRID_FN uint32_t grid_push_word(const grid_product_job &J, uint64_t h) {
  const uint64_t at = 32 * h;
  if (at >= J.nx) return 0;
  if (J.xbits) return grid_halves(J.xbits)[h];
  return J.nx - at >= 32 ? ~0u : (1u << (J.nx - at)) - 1;
}

GRID_FN uint32_t grid_frontier_degree(const grid_product_job &J, uint64_t f) {
  const uint32_t k = J.xlist ? J.xlist[f] : (uint32_t)f;
  return J.ptr[k + 1] - J.ptr[k];
}

// visit(f, d) for each of the warp's words that is not 0. The first is h; this thread has `word`. f: the
// position of this thread's bit; d: the entries of its vector, 0 where the bit is not set.
template <class F>
GRID_FN void grid_visit_words(const grid_product_job &J, uint64_t h, uint32_t word, F visit) {
  const unsigned lane = threadIdx.x & 31;
  for (uint32_t left = __ballot_sync(~0u, word != 0); left; left &= left - 1) {
    const int b = __ffs(left) - 1;
    const uint64_t f = 32 * (h + b) + lane;
    visit(f, __shfl_sync(~0u, word, b) >> lane & 1 ? grid_frontier_degree(J, f) : 0);
  }
}

// Inclusive scan of d over the warp.
GRID_FN uint32_t grid_warp_scan(uint32_t d) {
  for (int s = 1; s < 32; s *= 2) {
    const uint32_t below = __shfl_up_sync(~0u, d, s);
    if ((int)(threadIdx.x & 31) >= s) d += below;
  }
  return d;
}

// Turns the warps' sums into positions. One atomic addition a block reserves list positions and edge numbers
// together, so that both ascend alike, in whatever order blocks run.
GRID_FN uint64_t grid_reserve_frontier(const grid_product_job &J, uint64_t sum) {
  enum { WARPS = GRID_PRODUCT_THREADS / 32 };
  __shared__ uint64_t sums[WARPS];
  if ((threadIdx.x & 31) == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    uint64_t total = 0;
    for (int w = 0; w < WARPS; w++) total += sums[w];
    uint64_t at = total ? atomicAdd((unsigned long long *)&J.counts->frontier, (unsigned long long)total) : 0;
    for (int w = 0; w < WARPS; w++) {
      const uint64_t word_sum = sums[w];
      sums[w] = at;
      at += word_sum;
    }
  }
  __syncthreads();
  const uint64_t position = sums[threadIdx.x / 32];
  __syncthreads();
  return position;
}

// list, start and counts->frontier from x's bits or list: its nonempty vectors. Narrow tiles of words spread
// a short x over all warps.
GRID_FN void grid_list_frontier(const grid_product_job &J) {
  const unsigned lane = threadIdx.x & 31, width = grid_tile_width(J.nx);
  const uint64_t halves = (J.nx + 31) / 32, block = (uint64_t)width * (blockDim.x / 32),
                 step = gridDim.x * block;
  for (uint64_t b0 = blockIdx.x * block; b0 < halves; b0 += GRID_PUSH_WORDS * step) {
    const uint64_t h0 = b0 + threadIdx.x / 32 * width;
    uint32_t word[GRID_PUSH_WORDS], any = 0;
#pragma unroll
    for (int j = 0; j < GRID_PUSH_WORDS; j++)
      any |= word[j] = lane < width ? grid_push_word(J, h0 + j * step + lane) : 0;
    if (!__syncthreads_or(any != 0)) continue;
    uint64_t sum = 0;
#pragma unroll
    for (int j = 0; j < GRID_PUSH_WORDS; j++)
      grid_visit_words(J, h0 + j * step, word[j],
                       [&](uint64_t, uint32_t d) { sum += d ? (uint64_t)1 << 32 | d : 0; });
    uint64_t position = grid_reserve_frontier(J, grid_warp_sum(sum));
#pragma unroll
    for (int j = 0; j < GRID_PUSH_WORDS; j++)
      grid_visit_words(J, h0 + j * step, word[j], [&](uint64_t f, uint32_t d) {
        const uint32_t have = __ballot_sync(~0u, d > 0), upto = grid_warp_scan(d);
        if (d) {
          const uint64_t at = (position >> 32) + __popc(have & ((1u << lane) - 1));
          J.list[at] = (uint32_t)f;
          J.start[at] = (uint32_t)position + upto - d;
        }
        position += (uint64_t)__popc(have) << 32 | __shfl_sync(~0u, upto, 31);
      });
  }
}

// ---- the edges --------------------------------------------------------------------------------------------

// The last position in start[0..n) that is not above edge.
GRID_FN uint32_t grid_vector_of_edge(const uint32_t *start, uint32_t n, uint32_t edge) {
  uint32_t lo = 0, hi = n;
  while (hi - lo > 1) {
    const uint32_t mid = lo + (hi - lo) / 2;
    if (start[mid] <= edge)
      lo = mid;
    else
      hi = mid;
  }
  return lo;
}

// The vectors of a tile of edges.
struct grid_push_tile {
  uint32_t start[GRID_PRODUCT_TILE], base[GRID_PRODUCT_TILE], from[GRID_PRODUCT_TILE], bound[2];
};

// visit(at, k, xpos, v) for each entry `at` of the frontier's vectors k, at output v. All threads of a block
// call; t is in shared memory.
template <class F>
GRID_FN void grid_walk_edges(const grid_product_job &J, grid_push_tile &t, F visit) {
  const uint64_t packed = J.counts->frontier;
  const uint32_t edges = (uint32_t)packed, vectors = (uint32_t)(packed >> 32);
  for (uint64_t tile = blockIdx.x * (uint64_t)GRID_PRODUCT_TILE; tile < edges;
       tile += gridDim.x * (uint64_t)GRID_PRODUCT_TILE) {
    const uint64_t end = tile + GRID_PRODUCT_TILE < edges ? tile + GRID_PRODUCT_TILE : edges;
    if (threadIdx.x < 2)
      t.bound[threadIdx.x] = grid_vector_of_edge(J.start, vectors, (uint32_t)(threadIdx.x ? end - 1 : tile));
    __syncthreads();
    // every listed vector has an entry: a tile meets no more of them than it has edges
    const uint32_t first = t.bound[0], n = t.bound[1] - first + 1;
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) {
      const uint32_t f = J.list[first + i], s = J.start[first + i];
      t.start[i] = s;
      t.from[i] = f;
      t.base[i] = J.ptr[J.xlist ? J.xlist[f] : f] - s;
    }
    __syncthreads();
    uint32_t at[GRID_PRODUCT_EDGES_PER_THREAD], k[GRID_PRODUCT_EDGES_PER_THREAD],
        v[GRID_PRODUCT_EDGES_PER_THREAD];
    bool active[GRID_PRODUCT_EDGES_PER_THREAD];
#pragma unroll
    for (int j = 0; j < GRID_PRODUCT_EDGES_PER_THREAD; j++) {
      const uint64_t e = tile + threadIdx.x + (uint64_t)j * GRID_PRODUCT_THREADS;
      active[j] = e < end;
      const uint32_t i = active[j] ? grid_vector_of_edge(t.start, n, (uint32_t)e) : 0;
      k[j] = t.from[i];
      at[j] = t.base[i] + (uint32_t)e;
      v[j] = active[j] ? J.idx[at[j]] : 0;
    }
#pragma unroll
    for (int j = 0; j < GRID_PRODUCT_EDGES_PER_THREAD; j++)
      if (active[j])
        visit(at[j], J.xlist ? J.xlist[k[j]] : k[j],
              J.x_packed ? k[j]
              : J.xlist  ? J.xlist[k[j]]
                         : k[j],
              v[j]);
    __syncthreads();
  }
}

// Before a sum: outputs that have no value yet, and may get one, get O::start(). A short frontier finds them
// by its edges (and sets their bits already), a long one processes all.
template <class O>
GRID_FN uint64_t grid_push_start(const grid_product_job &J, grid_push_tile &t) {
  typename O::z_t *y = (typename O::z_t *)J.y;
  uint64_t found = 0;
  if ((uint64_t)(uint32_t)J.counts->frontier < J.ny / 8) {
    grid_walk_edges(J, t, [&](uint32_t, uint32_t, uint32_t, uint32_t v) {
      if (!grid_is_allowed(J, v) || !grid_claim(J, v)) return;
      found++;
      y[v] = O::start();
    });
  } else {
    GRID_FOR(v, J.ny)
    if (!grid_half_bit(J.ybits, (uint32_t)v)) y[v] = O::start();
  }
  return found;
}

template <class O>
GRID_FN void grid_push(const grid_product_job &J, const typename O::a_t &a1) {
  __shared__ grid_push_tile t;
  unsigned barriers = 0;
  uint64_t found = 0;
  grid_list_frontier(J);
  grid_push_barrier(J, ++barriers);
  if constexpr (!O::any) {
    found = grid_push_start<O>(J, t);
    grid_push_barrier(J, ++barriers);
  }
  grid_walk_edges(J, t, [&](uint32_t at, uint32_t k, uint32_t xpos, uint32_t v) {
    if (!grid_is_allowed(J, v)) return;
    const bool is_new = grid_claim(J, v);
    found += is_new;
    if constexpr (O::any) {
      if (is_new) grid_store_product<O>(J, a1, v, at, k, xpos);
    } else {
      grid_combine<O>((typename O::z_t *)J.y + v, grid_product_of<O>(J, a1, at, k, xpos),
                      J.locks + v % GRID_PRODUCT_LOCKS);
    }
  });
  grid_add_counts(J, found, 0);
  grid_finish_counts(J, barriers);
}
#endif
