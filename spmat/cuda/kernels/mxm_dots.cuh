// The kernels of C<mask> = A (+).(x) B by dots. A's row is marked in a bitmap. For each entry of the mask the
// column of B is looked up in it by a group of lanes. Sums are combined in a fixed order.
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
#pragma unroll
  for (int d = GRID_MXM_LANES / 2; d > 0; d /= 2) {
    const bool more = __shfl_down_sync(~0u, (int)s.has, d, GRID_MXM_LANES);
    if constexpr (O::structural) {
      s.has = s.has || more;
    } else {
      const typename O::z_t z = grid_mxm_from_lane(s.z, ~0u, d, GRID_MXM_LANES);
      if (more) grid_mxm_add<O>(&s, z);
    }
  }
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
#endif
