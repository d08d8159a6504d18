// The kernels of C<mask> = A (+).(x) B by dots. Sums are combined in a fixed order.
//
// By rows: A's row is marked in a bitmap. For each entry of the mask the column of B is looked up in it by a
// group of lanes.
// By entry, where bitmaps would cost more than they save: for each entry of the mask, the shorter one of A's
// row and B's column is looked up in the longer one by binary search.
#ifndef GRID_MXM_DOTS_CUH
#define GRID_MXM_DOTS_CUH
#include "mxm.cuh"

// A sum that may be empty.
template <class O>
struct grid_mxm_sum {
  typename O::z_t z;
  bool has;
};
template <class O>
GRID_FN void grid_mxm_add(grid_mxm_sum<O> *s, const typename O::z_t &v) {
  if constexpr (O::structural || O::any) {
    if (!s->has) s->z = v;
  } else {
    s->z = s->has ? O::add(s->z, v) : v;
  }
  s->has = true;
}

template <class T>
GRID_FN T grid_mxm_from_lane(const T &v, unsigned mask, int d, int width) {
  uint32_t w[(sizeof(T) + 3) / 4] = {0};
  T r;
  memcpy(w, &v, sizeof v);
#pragma unroll
  for (int k = 0; k < (int)((sizeof(T) + 3) / 4); k++) w[k] = __shfl_down_sync(mask, w[k], d, width);
  memcpy(&r, w, sizeof r);
  return r;
}

// Combines the sums of a group of LANES lanes in the first one. All lanes of the warp call.
template <class O, int LANES>
GRID_FN void grid_mxm_combine(grid_mxm_sum<O> *s) {
#pragma unroll
  for (int d = LANES / 2; d > 0; d /= 2) {
    const bool more = __shfl_down_sync(~0u, (int)s->has, d, LANES);
    if constexpr (O::structural) {
      s->has = s->has || more;
    } else {
      const typename O::z_t z = grid_mxm_from_lane(s->z, ~0u, d, LANES);
      if (more) grid_mxm_add<O>(s, z);
    }
  }
}

// The dot of entry e of the mask, by a group of LANES lanes; all lanes of the warp work. Those of B's entries
// count whose key has(key), and entry(b) is A's entry at the same inner index. Several loads are in flight.
enum { GRID_MXM_LANES = 16, GRID_MXM_PREFETCH_ROWS = 4 };
template <class O, class Has, class Entry>
GRID_FN void grid_mxm_dot(const grid_mxm_job &J, const typename O::a_t &a1, const typename O::x_t &b1,
                          uint32_t e, bool active, const uint32_t *__restrict__ keys, Has has, Entry entry) {
  const unsigned lane = threadIdx.x % GRID_MXM_LANES;
  grid_mxm_sum<O> s;
  s.has = false;
  if (active && grid_mxm_counts(J, e)) {
    const uint32_t c = J.m_idx[e], end = J.b_ptr[c + 1];
    for (uint64_t b0 = (uint64_t)J.b_ptr[c] + lane; b0 < end; b0 += GRID_MXM_PREFETCH_ROWS * GRID_MXM_LANES) {
      uint32_t key[GRID_MXM_PREFETCH_ROWS];
#pragma unroll
      for (int u = 0; u < GRID_MXM_PREFETCH_ROWS; u++)
        if (b0 + u * GRID_MXM_LANES < end) key[u] = keys[b0 + u * GRID_MXM_LANES];
#pragma unroll
      for (int u = 0; u < GRID_MXM_PREFETCH_ROWS; u++) {
        if (b0 + u * GRID_MXM_LANES >= end || !has(key[u])) continue;
        const uint32_t b = (uint32_t)(b0 + u * GRID_MXM_LANES);
        grid_mxm_add<O>(&s, grid_mxm_product<O>(J, a1, b1, entry(b), b));
      }
      if constexpr (O::structural || O::any)
        if (s.has) break;
    }
  }
  __syncwarp();
  grid_mxm_combine<O, GRID_MXM_LANES>(&s);
  if (lane != 0 || !active || !s.has) return;
  if constexpr (!O::structural) ((typename O::z_t *)J.dot)[e] = s.z;
  atomicOr(&J.dot_bits[e >> 5], 1u << (e & 31));
}

// A's entry of row r at inner index k, which exists.
template <class O>
GRID_FN uint32_t grid_mxm_entry(const grid_mxm_job &J, uint32_t r, uint32_t k) {
  if constexpr (O::structural || !(O::uses_a_values || O::positional)) return J.a_ptr[r];
  if (!O::positional && !J.a) return J.a_ptr[r];
  return grid_csr_lower_bound(J.a_idx, J.a_ptr[r], J.a_ptr[r + 1], k);
}

// Rows of a block: bits of A's row, by rank, the first ones in shared memory.
template <class O>
GRID_FN void grid_mxm_dots_by_block(const grid_mxm_job &J, const typename O::a_t &a1,
                                    const typename O::x_t &b1) {
  extern __shared__ __align__(16) char grid_mxm_shared[];
  __shared__ uint32_t any_far;
  uint32_t *smem = (uint32_t *)grid_mxm_shared, *far = J.bits + blockIdx.x * ((J.n + 31) / 32);
  const uint32_t *a_key = J.a_rank ? J.a_rank : J.a_idx, *b_key = J.b_rank ? J.b_rank : J.b_idx;
  enum { GROUPS = GRID_MXM_THREADS / GRID_MXM_LANES };
  for (uint32_t w = threadIdx.x; w < (J.smem + 31) / 32; w += GRID_MXM_THREADS) smem[w] = 0;
  for (uint32_t r; (r = grid_mxm_next(J)) != 0xffffffffu;) {
    const uint32_t first = J.a_ptr[r], last = J.a_ptr[r + 1], from = J.m_ptr[r], to = J.m_ptr[r + 1];
    if (threadIdx.x == 0) any_far = 0;
    __syncthreads();
    for (uint32_t e = first + threadIdx.x; e < last; e += GRID_MXM_THREADS) {
      const uint32_t k = a_key[e];
      if (k < J.smem)
        atomicOr(&smem[k >> 5], 1u << (k & 31));
      else
        atomicOr(&far[k >> 5], 1u << (k & 31)), any_far = 1;
    }
    __syncthreads();
    const bool probes_far = any_far;
    // whole warps: a group may have no entry
    for (uint32_t e0 = from; e0 < to; e0 += GROUPS) {
      const uint32_t e = e0 + threadIdx.x / GRID_MXM_LANES;
      if (__all_sync(~0u, e >= to)) continue;
      grid_mxm_dot<O>(
          J, a1, b1, e, e < to, b_key,
          [&](uint32_t k) -> bool {
            return k < J.smem ? smem[k >> 5] >> (k & 31) & 1
                              : probes_far && (__ldcg(&far[k >> 5]) >> (k & 31) & 1);
          },
          [&](uint32_t b) { return grid_mxm_entry<O>(J, r, J.b_idx[b]); });
    }
    __syncthreads();
    for (uint32_t e = first + threadIdx.x; e < last; e += GRID_MXM_THREADS) {
      const uint32_t k = a_key[e];
      if (k < J.smem)
        smem[k >> 5] = 0;
      else
        far[k >> 5] = 0;
    }
  }
}

// Rows of a warp: A's row, ascending, in shared memory.
template <class O>
GRID_FN void grid_mxm_dots_short(const grid_mxm_job &J, const typename O::a_t &a1,
                                 const typename O::x_t &b1) {
  __shared__ uint32_t rows[GRID_MXM_WARPS][GRID_MXM_DOTS_SHORT];
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x / 32;
  uint32_t *row = rows[warp];
  for (uint64_t i = blockIdx.x * (uint64_t)GRID_MXM_WARPS + warp; i < J.rows;
       i += gridDim.x * (uint64_t)GRID_MXM_WARPS) {
    const uint32_t r = J.list[i], first = J.a_ptr[r], n = J.a_ptr[r + 1] - first, to = J.m_ptr[r + 1];
    __syncwarp();
    if (lane < n) row[lane] = J.a_idx[first + lane];
    __syncwarp();
    for (uint32_t e0 = J.m_ptr[r]; e0 < to; e0 += 32 / GRID_MXM_LANES) {
      const uint32_t e = e0 + lane / GRID_MXM_LANES;
      grid_mxm_dot<O>(
          J, a1, b1, e, e < to, J.b_idx,
          [&](uint32_t k) -> bool {
            const uint32_t at = grid_csr_lower_bound(row, 0, n, k);
            return at < n && row[at] == k;
          },
          [&](uint32_t b) { return first + grid_csr_lower_bound(row, 0, n, J.b_idx[b]); });
    }
  }
}

// ---- by entry ------------------------------------------------------------------------------------------

// A's row and B's column of an entry of the mask: where they begin, and their numbers of entries.
typedef struct {
  uint32_t a, a_count, b, b_count;
} grid_mxm_pair;

GRID_FN uint32_t grid_mxm_shorter(const grid_mxm_pair &p) {
  return p.a_count < p.b_count ? p.a_count : p.b_count;
}

// Adds the products of entries first, first + step, ... of the shorter one. SEARCHES are in flight.
template <class O, int SEARCHES>
GRID_FN void grid_mxm_intersect(const grid_mxm_job &J, const typename O::a_t &a1, const typename O::x_t &b1,
                                const grid_mxm_pair &p, unsigned first, unsigned step, grid_mxm_sum<O> *s) {
  const bool by_a = p.a_count < p.b_count;
  const uint32_t *keys = by_a ? J.a_idx + p.a : J.b_idx + p.b, *row = by_a ? J.b_idx + p.b : J.a_idx + p.a;
  const uint32_t n = by_a ? p.a_count : p.b_count, length = by_a ? p.b_count : p.a_count;
  for (uint64_t k = first; k < n; k += SEARCHES * step) {
    uint32_t key[SEARCHES], at[SEARCHES];
#pragma unroll
    for (int u = 0; u < SEARCHES; u++) key[u] = keys[k + u * step < n ? k + u * step : n - 1], at[u] = 0;
    // the last position whose index is at most the key, or 0
    for (uint32_t left = length, half; left > 1; left -= half) {
      half = left / 2;
#pragma unroll
      for (int u = 0; u < SEARCHES; u++)
        if (row[at[u] + half] <= key[u]) at[u] += half;
    }
#pragma unroll
    for (int u = 0; u < SEARCHES; u++) {
      if (k + u * step >= n || row[at[u]] != key[u]) continue;
      const uint32_t i = (uint32_t)(k + u * step);
      const uint32_t a = p.a + (by_a ? i : at[u]), b = p.b + (by_a ? at[u] : i);
      grid_mxm_add<O>(s, grid_mxm_product<O>(J, a1, b1, a, b));
    }
    if constexpr (O::structural || O::any)
      if (s->has) return;
  }
}

// The pair of entry e of the mask, which is in one of rows first .. last; inactive: an empty one.
GRID_FN grid_mxm_pair grid_mxm_pair_of(const grid_mxm_job &J, uint64_t e, uint64_t first, uint64_t last,
                                       bool active) {
  grid_mxm_pair p = {0, 0, 0, 0};
  if (!active || !grid_mxm_counts(J, (uint32_t)e)) return p;
  const uint64_t r = grid_csr_find_row(J.m_ptr, first, last, e);
  const uint32_t c = J.m_idx[e];
  p.a = J.a_ptr[r], p.a_count = J.a_ptr[r + 1] - p.a;
  p.b = J.b_ptr[c], p.b_count = J.b_ptr[c + 1] - p.b;
  return p;
}

// Pairs with many look-ups, by the whole warp one after the other. Returns the bits of lanes whose pair has a
// dot; those are written.
template <class O>
GRID_FN uint32_t grid_mxm_dots_of_warp(const grid_mxm_job &J, const typename O::a_t &a1,
                                       const typename O::x_t &b1, const grid_mxm_pair &pair, bool is_long,
                                       uint64_t e0) {
  const unsigned lane = threadIdx.x & 31;
  uint32_t found = 0;
  for (uint32_t left = __ballot_sync(~0u, is_long); left; left &= left - 1) {
    const int k = __ffs(left) - 1;
    const grid_mxm_pair p = {__shfl_sync(~0u, pair.a, k), __shfl_sync(~0u, pair.a_count, k),
                             __shfl_sync(~0u, pair.b, k), __shfl_sync(~0u, pair.b_count, k)};
    grid_mxm_sum<O> s;
    s.has = false;
    grid_mxm_intersect<O, 4>(J, a1, b1, p, lane, 32, &s);
    __syncwarp();
    grid_mxm_combine<O, 32>(&s);
    if constexpr (!O::structural)
      if (lane == 0 && s.has) ((typename O::z_t *)J.dot)[e0 + k] = s.z;
    found |= (uint32_t)__shfl_sync(~0u, (int)s.has, 0) << k;
  }
  return found;
}

// Entries of the mask that a warp takes at a time, so that it finds their rows once: a multiple of 32.
GRID_FN uint64_t grid_mxm_entries_of_warp(const grid_mxm_job &J, uint64_t warps) {
  enum { MOST = 256 };
  const uint64_t even = J.m_entries / (4 * warps) / 32 * 32;
  return even < 32 ? 32 : even < MOST ? even : MOST;
}

// 32 entries of the mask from e0 on, which are in rows first .. last.
template <class O>
GRID_FN void grid_mxm_dots_of_entries(const grid_mxm_job &J, const typename O::a_t &a1,
                                      const typename O::x_t &b1, uint64_t e0, uint64_t first, uint64_t last) {
  const uint64_t e = e0 + (threadIdx.x & 31);
  const grid_mxm_pair p = grid_mxm_pair_of(J, e, first, last, e < J.m_entries);
  const uint32_t lookups = grid_mxm_shorter(p);
  const bool is_long = lookups > GRID_MXM_DOTS_BY_THREAD;
  grid_mxm_sum<O> s;
  s.has = false;
  if (lookups == 1) grid_mxm_intersect<O, 1>(J, a1, b1, p, 0, 1, &s);
  if (lookups > 1 && !is_long) grid_mxm_intersect<O, 4>(J, a1, b1, p, 0, 1, &s);
  if constexpr (!O::structural)
    if (s.has) ((typename O::z_t *)J.dot)[e] = s.z;
  __syncwarp();
  const uint32_t found = __ballot_sync(~0u, s.has) | grid_mxm_dots_of_warp<O>(J, a1, b1, p, is_long, e0);
  if ((threadIdx.x & 31) == 0) J.dot_bits[e0 >> 5] = found;
}

template <class O>
GRID_FN void grid_mxm_dots_by_entry(const grid_mxm_job &J, const typename O::a_t &a1,
                                    const typename O::x_t &b1) {
  const uint64_t warps = gridDim.x * (uint64_t)GRID_MXM_WARPS,
                 warp = blockIdx.x * (uint64_t)GRID_MXM_WARPS + threadIdx.x / 32,
                 length = grid_mxm_entries_of_warp(J, warps);
  for (uint64_t from = length * warp; from < J.m_entries; from += length * warps) {
    const uint64_t to = from + length < J.m_entries ? from + length : J.m_entries,
                   end = grid_csr_find_row(J.m_ptr, 0, J.m_rows - 1, (threadIdx.x & 31) == 0 ? from : to - 1),
                   first = __shfl_sync(~0u, end, 0), last = __shfl_sync(~0u, end, 31);
    for (uint64_t e0 = from; e0 < to; e0 += 32) grid_mxm_dots_of_entries<O>(J, a1, b1, e0, first, last);
  }
}
#endif
