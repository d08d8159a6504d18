// The kernels of C<mask> = A (+).(x) B, row by row, for any semiring O (product_ops.cuh; structural: only the
// pattern is made).
//
// A row with many products is computed by a block. Its products are divided evenly among the threads,
// whatever the lengths of B's rows. Sums are stored by column, in shared memory if they fit, and all equal
// O::start() between rows. Bits mark the columns with a sum, and a second level of bits the nonempty words of
// those. A row with few products is computed by a warp, with a hash table of its columns.
#ifndef GRID_MXM_CUH
#define GRID_MXM_CUH
#include "atomic_combine.cuh"
#include "mxm_job.cuh"
#include "lmat_entries.cuh"

// ---- products ------------------------------------------------------------------------------------------

// by: the product of A's entry a and B's value y.
template <class O, bool structural, bool positional>
struct grid_mxm_multiplier {
  enum { READS_B = O::uses_x_values };
  static __device__ __forceinline__ typename O::z_t by(const grid_mxm_job &J, const typename O::a_t &a1,
                                                       uint32_t a, const typename O::x_t &y) {
    typename O::a_t x = a1;
    if constexpr (O::uses_a_values)
      if (J.a) x = ((const typename O::a_t *)J.a)[a];
    return O::multiply(x, y);
  }
};
template <class O>
struct grid_mxm_multiplier<O, false, true> {  // the inner index
  enum { READS_B = false };
  static __device__ __forceinline__ typename O::z_t by(const grid_mxm_job &J, const typename O::a_t &,
                                                       uint32_t a, const typename O::x_t &) {
    return (typename O::z_t)J.a_idx[a];
  }
};
template <class O, bool positional>
struct grid_mxm_multiplier<O, true, positional> {
  enum { READS_B = false };
  static __device__ __forceinline__ typename O::z_t by(const grid_mxm_job &, const typename O::a_t &,
                                                       uint32_t, const typename O::x_t &) {
    return typename O::z_t();
  }
};
// The product of A's entry a and B's entry b.
template <class O>
GRID_FN typename O::z_t grid_mxm_product(const grid_mxm_job &J, const typename O::a_t &a1,
                                         const typename O::x_t &b1, uint32_t a, uint32_t b) {
  typedef grid_mxm_multiplier<O, O::structural, O::positional> multiplier;
  typename O::x_t y = b1;
  if constexpr (multiplier::READS_B)
    if (J.b) y = ((const typename O::x_t *)J.b)[b];
  return multiplier::by(J, a1, a, y);
}

GRID_FN uint32_t grid_mxm_warp_before(uint32_t v) {  // exclusive scan of v over the lanes
  const unsigned lane = threadIdx.x & 31;
  uint32_t upto = v;
  for (int d = 1; d < 32; d *= 2) {
    const uint32_t below = __shfl_up_sync(~0u, upto, d);
    if ((int)lane >= d) upto += below;
  }
  return upto - v;
}
GRID_FN uint32_t grid_mxm_warp_sum(uint32_t v) {
  return __reduce_add_sync(~0u, v);
}

// The last k of lo .. hi with before[k] <= p.
GRID_FN unsigned grid_mxm_segment(const uint32_t *before, unsigned lo, unsigned hi, uint32_t p) {
  while (lo < hi) {
    const unsigned mid = (lo + hi + 1) / 2;
    if (before[mid] <= p)
      lo = mid;
    else
      hi = mid - 1;
  }
  return lo;
}

// The threads that compute a row together: those of a warp, or of a block.
template <int THREADS>
GRID_FN void grid_mxm_team_sync() {
  if constexpr (THREADS == 32)
    __syncwarp();
  else
    __syncthreads();
}

// Of up to THREADS entries of A, in a team's shared memory: the number of products before each, and where its
// row of B starts.
template <int THREADS>
struct grid_mxm_segments {
  uint32_t before[THREADS], start[THREADS], warps[THREADS / 32];
};

// Fills them for n entries of A, of which this thread's has `length` products with B's entries from `from`
// on. Returns the number of products.
template <int THREADS>
GRID_FN uint32_t grid_mxm_fill_segments(grid_mxm_segments<THREADS> &s, uint32_t from, uint32_t length) {
  const unsigned t = threadIdx.x % THREADS;
  const uint32_t warp_before = grid_mxm_warp_before(length), sum = grid_mxm_warp_sum(length);
  uint32_t base = 0, total = 0;
  grid_mxm_team_sync<THREADS>();
  if (t % 32 == 0) s.warps[t / 32] = sum;
  grid_mxm_team_sync<THREADS>();
  for (unsigned w = 0; w < THREADS / 32; w++) {
    if (w == t / 32) base = total;
    total += s.warps[w];
  }
  s.before[t] = base + warp_before;
  s.start[t] = from;
  grid_mxm_team_sync<THREADS>();
  return total;
}

// visit(a, b, c) for each product of row r of A, a and b being entries of A and B, and c the column of b.
// span(k, &from): the number of entries of B's row k that count, from `from` on. The team's threads call. A
// warp takes consecutive products, so that it seldom searches for their entries of A.
template <int THREADS, class Span, class Visit>
GRID_FN void grid_mxm_products(const grid_mxm_job &J, uint32_t r, grid_mxm_segments<THREADS> &s, Span span,
                               Visit visit) {
  enum { AHEAD = 4, STEP = 32 * AHEAD };  // so many loads are in flight
  const unsigned t = threadIdx.x % THREADS, lane = t % 32;
  const uint32_t end = J.a_ptr[r + 1];
  for (uint32_t first = J.a_ptr[r]; first < end; first += THREADS) {
    const unsigned n = end - first < THREADS ? end - first : THREADS;
    uint32_t from = 0, length = 0;
    if (t < n) length = span(J.a_idx[first + t], &from);
    const uint32_t total = grid_mxm_fill_segments<THREADS>(s, from, length);
    for (uint32_t p0 = t / 32 * STEP; p0 < total; p0 += THREADS * AHEAD) {
      const uint32_t left = total - p0 < STEP ? total - p0 : STEP;
      const unsigned lo = grid_mxm_segment(s.before, 0, n - 1, p0),
                     hi = grid_mxm_segment(s.before, lo, n - 1, p0 + left - 1);
      uint32_t a[AHEAD], b[AHEAD], c[AHEAD];
#pragma unroll
      for (int u = 0; u < AHEAD; u++) {
        if (32 * u + lane >= left) continue;
        const uint32_t p = p0 + 32 * u + lane;
        const unsigned k = grid_mxm_segment(s.before, lo, hi, p);
        a[u] = first + k, b[u] = s.start[k] + (p - s.before[k]);
        c[u] = J.b_idx[b[u]];
      }
#pragma unroll
      for (int u = 0; u < AHEAD; u++)
        if (32 * u + lane < left) visit(a[u], b[u], c[u]);
    }
  }
  grid_mxm_team_sync<THREADS>();
}

// All entries of row k of B.
struct grid_mxm_whole_rows {
  const uint32_t *ptr;
  __device__ __forceinline__ uint32_t operator()(uint32_t k, uint32_t *from) const {
    *from = ptr[k];
    return ptr[k + 1] - *from;
  }
};

// Does entry e of the mask count?
GRID_FN bool grid_mxm_counts(const grid_mxm_job &J, uint32_t e) {
  return !J.m_bits || J.m_bits[e >> 5] >> (e & 31) & 1;
}

// ---- rows of a block -----------------------------------------------------------------------------------

// A block's bitmap of columns, the bits of its nonempty words, and the columns of the mask's row.
struct grid_mxm_bits {
  uint32_t *words, *nonempty, *mask;
};

GRID_FN uint64_t grid_mxm_bits_words(const grid_mxm_job &J) {
  return GRID_MXM_WORDS(J.n) * (J.masked ? 2 : 1) + GRID_MXM_SPARSE(J.n);
}
// The bits of this block, which are 0 between rows. All threads call.
GRID_FN grid_mxm_bits grid_mxm_block_bits(const grid_mxm_job &J, uint32_t *shared) {
  uint32_t *at = J.shared_bits ? shared : J.bits + blockIdx.x * grid_mxm_bits_words(J);
  if (J.shared_bits)
    for (uint64_t k = threadIdx.x; k < grid_mxm_bits_words(J); k += GRID_MXM_THREADS) at[k] = 0;
  __syncthreads();
  const grid_mxm_bits b = {at, at + GRID_MXM_WORDS(J.n), at + GRID_MXM_WORDS(J.n) + GRID_MXM_SPARSE(J.n)};
  return b;
}

// Sets the bits of the mask's row, or clears them.
GRID_FN void grid_mxm_mark(const grid_mxm_job &J, const grid_mxm_bits &b, uint32_t r, bool set) {
  if (!J.masked) return;
  for (uint32_t e = J.m_ptr[r] + threadIdx.x; e < J.m_ptr[r + 1]; e += GRID_MXM_THREADS) {
    const uint32_t c = J.m_idx[e];
    if (!set)
      b.mask[c >> 5] = 0;
    else if (grid_mxm_counts(J, e))
      atomicOr(&b.mask[c >> 5], 1u << (c & 31));
  }
  __syncthreads();
}
GRID_FN bool grid_mxm_is_allowed(const grid_mxm_job &J, const grid_mxm_bits &b, uint32_t c) {
  return !J.masked || (b.mask[c >> 5] >> (c & 31) & 1) != J.mask_complement;
}

// Sets column c's bit; true if it was not set.
GRID_FN bool grid_mxm_claim(const grid_mxm_bits &b, uint32_t c) {
  const uint32_t bit = 1u << (c & 31), w = c >> 5;
  if (*(volatile uint32_t *)&b.words[w] & bit) return false;
  const uint32_t old = atomicOr(&b.words[w], bit);
  if (!old) atomicOr(&b.nonempty[w >> 5], 1u << (w & 31));
  return !(old & bit);
}

// The next row for this block, or UINT32_MAX. All threads call.
GRID_FN uint32_t grid_mxm_next(const grid_mxm_job &J) {
  __shared__ uint32_t got;
  __syncthreads();
  if (threadIdx.x == 0) {
    const uint32_t k = atomicAdd(J.next, 1u);
    got = k < J.rows ? J.list[k] : 0xffffffffu;
  }
  __syncthreads();
  return got;
}

// This warp's stretch of the second level's words.
#define GRID_MXM_STRETCH(J, from, to)                                                         \
  const unsigned per_warp = (unsigned)((GRID_MXM_SPARSE((J).n) + GRID_MXM_THREADS / 32 - 1) / \
                                       (GRID_MXM_THREADS / 32)),                              \
                 from = per_warp * (threadIdx.x / 32) < GRID_MXM_SPARSE((J).n)                \
                            ? per_warp * (threadIdx.x / 32)                                   \
                            : (unsigned)GRID_MXM_SPARSE((J).n),                               \
                 to = from + per_warp < GRID_MXM_SPARSE((J).n) ? from + per_warp              \
                                                               : (unsigned)GRID_MXM_SPARSE((J).n)

// Number of set columns in this warp's stretch.
GRID_FN uint32_t grid_mxm_count_stretch(const grid_mxm_bits &b, unsigned from, unsigned to) {
  uint32_t sum = 0;
  for (unsigned s = from + (threadIdx.x & 31); s < to; s += 32)
    for (uint32_t left = b.nonempty[s]; left; left &= left - 1)
      sum += __popc(b.words[32 * s + __ffs(left) - 1]);
  return grid_mxm_warp_sum(sum);
}

// visit(c, at) for each set column, in ascending order, `at` being the number of those before; clears the
// bits. Whole warps call visit; c is UINT32_MAX in lanes without a column. All threads call.
template <class Visit>
GRID_FN void grid_mxm_visit_columns(const grid_mxm_job &J, const grid_mxm_bits &b, Visit visit) {
  __shared__ uint32_t warps[GRID_MXM_THREADS / 32];
  const unsigned lane = threadIdx.x & 31;
  GRID_MXM_STRETCH(J, from, to);
  const uint32_t count = grid_mxm_count_stretch(b, from, to);
  if (lane == 0) warps[threadIdx.x / 32] = count;
  __syncthreads();
  uint32_t at = 0;
  for (unsigned w = 0; w < threadIdx.x / 32; w++) at += warps[w];
  for (unsigned s0 = from; s0 < to; s0 += 32) {
    const uint32_t nonempty_words = s0 + lane < to ? b.nonempty[s0 + lane] : 0;
    for (uint32_t rest = __ballot_sync(~0u, nonempty_words != 0); rest; rest &= rest - 1) {
      const unsigned k = __ffs(rest) - 1, s = s0 + k;
      const uint32_t level = __shfl_sync(~0u, nonempty_words, k);
      const uint32_t word = level >> lane & 1 ? b.words[32 * s + lane] : 0;
      if (word) b.words[32 * s + lane] = 0;
      for (uint32_t left = level; left; left &= left - 1) {
        const unsigned w = __ffs(left) - 1;
        const uint32_t bits = __shfl_sync(~0u, word, w);
        visit(bits >> lane & 1 ? (32 * s + w) * 32 + lane : 0xffffffffu,
              at + __popc(bits & ((1u << lane) - 1)));
        at += __popc(bits);
      }
      if (lane == 0) b.nonempty[s] = 0;
    }
  }
  __syncthreads();
}

// The number of entries of each row.
GRID_FN void grid_mxm_count_by_block(const grid_mxm_job &J) {
  extern __shared__ __align__(16) char grid_mxm_shared[];
  __shared__ grid_mxm_segments<GRID_MXM_THREADS> segments;
  __shared__ uint32_t sum;
  const grid_mxm_bits b = grid_mxm_block_bits(J, (uint32_t *)grid_mxm_shared);
  for (uint32_t r; (r = grid_mxm_next(J)) != 0xffffffffu;) {
    uint32_t found = 0;
    if (threadIdx.x == 0) sum = 0;
    grid_mxm_mark(J, b, r, true);
    grid_mxm_products(J, r, segments, grid_mxm_whole_rows{J.b_ptr}, [&](uint32_t, uint32_t, uint32_t c) {
      if (grid_mxm_is_allowed(J, b, c)) found += grid_mxm_claim(b, c);
    });
    found = grid_mxm_warp_sum(found);
    if ((threadIdx.x & 31) == 0 && found) atomicAdd(&sum, found);
    grid_mxm_mark(J, b, r, false);
    grid_mxm_visit_columns(J, b, [](uint32_t, uint32_t) {});
    if (threadIdx.x == 0) J.count[r] = sum;
  }
}

template <class O>
GRID_FN void grid_mxm_fill_by_block(const grid_mxm_job &J, const typename O::a_t &a1,
                                    const typename O::x_t &b1) {
  typedef typename O::z_t z_t;
  extern __shared__ __align__(16) char grid_mxm_shared[];
  __shared__ grid_mxm_segments<GRID_MXM_THREADS> segments;
  __shared__ uint32_t locks[GRID_MXM_LOCKS];  // sums belong to the block
  if (threadIdx.x < GRID_MXM_LOCKS) locks[threadIdx.x] = 0;
  const uint64_t bit_bytes = J.shared_bits ? (grid_mxm_bits_words(J) * 4 + 15) / 16 * 16 : 0;
  z_t *sum = J.shared_sums ? (z_t *)(grid_mxm_shared + bit_bytes) : (z_t *)J.sums + blockIdx.x * J.n;
  if constexpr (!O::structural && !O::any)
    for (uint64_t c = threadIdx.x; c < J.n; c += GRID_MXM_THREADS) sum[c] = O::start();
  const grid_mxm_bits b = grid_mxm_block_bits(J, (uint32_t *)grid_mxm_shared);
  for (uint32_t r; (r = grid_mxm_next(J)) != 0xffffffffu;) {
    grid_mxm_mark(J, b, r, true);
    grid_mxm_products(J, r, segments, grid_mxm_whole_rows{J.b_ptr}, [&](uint32_t a, uint32_t e, uint32_t c) {
      if (!grid_mxm_is_allowed(J, b, c)) return;
      const bool first = grid_mxm_claim(b, c);
      if constexpr (!O::structural) {
        if constexpr (O::any) {
          if (first) sum[c] = grid_mxm_product<O>(J, a1, b1, a, e);
        } else {
          grid_combine<O>(&sum[c], grid_mxm_product<O>(J, a1, b1, a, e), &locks[c % GRID_MXM_LOCKS]);
        }
      }
    });
    grid_mxm_mark(J, b, r, false);
    const uint32_t begin = J.c_start[r];
    grid_mxm_visit_columns(J, b, [&](uint32_t c, uint32_t at) {
      if (c == 0xffffffffu) return;
      J.c_idx[begin + at] = c;
      if constexpr (!O::structural) {
        ((z_t *)J.c)[begin + at] = sum[c];
        if constexpr (!O::any) sum[c] = O::start();
      }
    });
  }
}

// ---- rows of a warp ------------------------------------------------------------------------------------

enum { GRID_MXM_WARPS = GRID_MXM_SHORT_THREADS / 32 };

GRID_FN unsigned grid_mxm_slot(uint32_t c) {
  return c * 2654435761u >> 25;
}

// The slot of column c in the table; *fresh: it was inserted now.
GRID_FN unsigned grid_mxm_insert(uint32_t *table, uint32_t c, bool *fresh) {
  for (unsigned s = grid_mxm_slot(c);; s = (s + 1) % GRID_MXM_SLOTS) {
    const uint32_t old = atomicCAS(&table[s], 0xffffffffu, c);
    *fresh = old == 0xffffffffu;
    if (*fresh || old == c) return s;
  }
}

GRID_FN bool grid_mxm_is_in_mask(const grid_mxm_job &J, uint32_t r, uint32_t c) {
  if (!J.masked) return true;
  const uint32_t end = J.m_ptr[r + 1], at = grid_csr_lower_bound(J.m_idx, J.m_ptr[r], end, c);
  return (at < end && J.m_idx[at] == c && grid_mxm_counts(J, at)) != J.mask_complement;
}

GRID_FN void grid_mxm_count_short(const grid_mxm_job &J) {
  __shared__ grid_mxm_segments<32> segments[GRID_MXM_WARPS];
  __shared__ uint32_t tables[GRID_MXM_WARPS][GRID_MXM_SLOTS];
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x / 32;
  uint32_t *table = tables[warp];
  for (uint64_t k = blockIdx.x * (uint64_t)GRID_MXM_WARPS + warp; k < J.rows;
       k += gridDim.x * (uint64_t)GRID_MXM_WARPS) {
    const uint32_t r = J.list[k];
    uint32_t found = 0;
    for (unsigned s = lane; s < GRID_MXM_SLOTS; s += 32) table[s] = 0xffffffffu;
    __syncwarp();
    grid_mxm_products(J, r, segments[warp], grid_mxm_whole_rows{J.b_ptr},
                      [&](uint32_t, uint32_t, uint32_t c) {
                        bool fresh = false;
                        if (grid_mxm_is_in_mask(J, r, c)) grid_mxm_insert(table, c, &fresh);
                        found += fresh;
                      });
    found = grid_mxm_warp_sum(found);
    if (lane == 0) J.count[r] = found;
  }
}

template <class O>
GRID_FN void grid_mxm_fill_short(const grid_mxm_job &J, const typename O::a_t &a1,
                                 const typename O::x_t &b1) {
  typedef typename O::z_t z_t;
  __shared__ grid_mxm_segments<32> segments[GRID_MXM_WARPS];
  __shared__ uint32_t tables[GRID_MXM_WARPS][GRID_MXM_SLOTS], keys[GRID_MXM_WARPS][GRID_MXM_SHORT],
      locks[GRID_MXM_LOCKS];
  __shared__ uint8_t slots[GRID_MXM_WARPS][GRID_MXM_SHORT];
  extern __shared__ __align__(16) char grid_mxm_shared[];
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x / 32;
  uint32_t *table = tables[warp], *key = keys[warp];
  uint8_t *slot = slots[warp];
  z_t *sum = (z_t *)grid_mxm_shared + warp * GRID_MXM_SLOTS;
  if (threadIdx.x < GRID_MXM_LOCKS) locks[threadIdx.x] = 0;
  __syncthreads();
  for (uint64_t k = blockIdx.x * (uint64_t)GRID_MXM_WARPS + warp; k < J.rows;
       k += gridDim.x * (uint64_t)GRID_MXM_WARPS) {
    const uint32_t r = J.list[k];
    for (unsigned s = lane; s < GRID_MXM_SLOTS; s += 32) {
      table[s] = 0xffffffffu;
      if constexpr (!O::structural && !O::any) sum[s] = O::start();
    }
    __syncwarp();
    grid_mxm_products(J, r, segments[warp], grid_mxm_whole_rows{J.b_ptr},
                      [&](uint32_t a, uint32_t e, uint32_t c) {
                        if (!grid_mxm_is_in_mask(J, r, c)) return;
                        bool fresh;
                        const unsigned s = grid_mxm_insert(table, c, &fresh);
                        if constexpr (!O::structural) {
                          if constexpr (O::any) {
                            if (fresh) sum[s] = grid_mxm_product<O>(J, a1, b1, a, e);
                          } else {
                            grid_combine<O>(&sum[s], grid_mxm_product<O>(J, a1, b1, a, e),
                                            &locks[(s + 16 * warp) % GRID_MXM_LOCKS]);
                          }
                        }
                      });
    // the columns in no order; then each at its rank
    uint32_t n = 0;
    for (unsigned s = lane; s < GRID_MXM_SLOTS; s += 32) {
      const bool used = table[s] != 0xffffffffu;
      const uint32_t all = __ballot_sync(~0u, used), at = n + __popc(all & ((1u << lane) - 1));
      if (used) key[at] = table[s], slot[at] = (uint8_t)s;
      n += __popc(all);
    }
    __syncwarp();
    const uint64_t begin = J.uncounted ? k * GRID_MXM_SHORT : J.c_start[r];
    if (J.uncounted && lane == 0) J.count[r] = n;
    for (uint32_t i = lane; i < n; i += 32) {
      const uint32_t c = key[i];
      uint64_t at = begin;
      for (uint32_t j = 0; j < n; j++) at += key[j] < c;
      J.c_idx[at] = c;
      if constexpr (!O::structural) ((z_t *)J.c)[at] = sum[slot[i]];
    }
    __syncwarp();
  }
}
#endif
