// Products into at most GRID_MXM_COLUMNS columns. A warp has a sum for each column of its row in shared
// memory, and reads a row of B in one step for 32 entries, whose columns differ. So sums need no atomic
// operation. A row with many products is computed by the warps of a block, whose sums are combined in order:
// the result is the same in each run.
#ifndef GRID_MXM_COLUMNS_CUH
#define GRID_MXM_COLUMNS_CUH
#include "mxm.cuh"

enum { GRID_MXM_COLUMN_WORDS = GRID_MXM_COLUMNS / 32 };

// One warp's row.
template <class O>
struct grid_mxm_row {
  typename O::z_t *sum;
  uint32_t *bits;  // columns with a sum
};

// allowed = a bit for each column that the mask allows in row r; false: none. One warp calls.
GRID_FN bool grid_mxm_allow(const grid_mxm_job &J, uint32_t r, uint32_t *allowed) {
  const unsigned lane = threadIdx.x & 31;
  const uint32_t before = 32 * lane, n = (uint32_t)J.n;
  const uint32_t columns = before >= n ? 0 : n - before >= 32 ? ~0u : (1u << (n - before)) - 1;
  const uint64_t end = J.masked ? J.m_ptr[r + 1] : 0;
  if (lane < GRID_MXM_COLUMN_WORDS) allowed[lane] = J.masked && !J.mask_complement ? 0 : columns;
  __syncwarp();
  for (uint64_t e = J.masked ? (uint64_t)J.m_ptr[r] + lane : end; e < end; e += 32) {
    if (!grid_mxm_counts(J, (uint32_t)e)) continue;
    const uint32_t c = J.m_idx[e], bit = 1u << (c & 31);
    if (J.mask_complement)
      atomicAnd(&allowed[c >> 5], ~bit);
    else
      atomicOr(&allowed[c >> 5], bit);
  }
  __syncwarp();
  return __any_sync(~0u, lane < GRID_MXM_COLUMN_WORDS && allowed[lane]);
}

// Adds v, a product in column c, if c is allowed. The lanes of a warp call, each with a column of its own.
template <class O>
GRID_FN void grid_mxm_add_to_column(uint32_t c, const typename O::z_t &v, const uint32_t *allowed,
                                    const grid_mxm_row<O> &row) {
  const uint32_t bit = 1u << (c & 31);
  if (!(allowed[c >> 5] & bit)) return;
  const bool first = !(*(volatile uint32_t *)&row.bits[c >> 5] & bit);
  if (first) atomicOr(&row.bits[c >> 5], bit);
  if constexpr (O::any) {
    if (first) row.sum[c] = v;
  } else {
    row.sum[c] = first ? v : O::add(row.sum[c], v);
  }
}

enum { GRID_MXM_B_ROWS = 4 };  // rows of B that a warp reads at once

// Adds the products of the 32 entries of A from `a` on, of which lane k's names the row begin .. end - 1 of
// B; the first 32 entries of several rows are read before they are added.
template <class O>
GRID_FN void grid_mxm_add_rows(const grid_mxm_job &J, const typename O::a_t &a1, const typename O::x_t &b1,
                               uint32_t a, uint32_t begin, uint32_t end, const uint32_t *allowed,
                               const grid_mxm_row<O> &row) {
  const unsigned lane = threadIdx.x & 31;
  for (uint32_t left = __ballot_sync(~0u, begin < end); left;) {
    typename O::z_t v[GRID_MXM_B_ROWS];
    uint32_t c[GRID_MXM_B_ROWS], entry[GRID_MXM_B_ROWS];
    uint64_t e[GRID_MXM_B_ROWS], to[GRID_MXM_B_ROWS];
#pragma unroll
    for (int u = 0; u < GRID_MXM_B_ROWS; u++) {
      const int i = left ? __ffs(left) - 1 : 0;
      e[u] = (uint64_t)__shfl_sync(~0u, begin, i) + lane;
      to[u] = left ? __shfl_sync(~0u, end, i) : 0;
      entry[u] = a + i;
      left &= left - 1;
      if (e[u] >= to[u]) continue;
      c[u] = J.b_idx[e[u]];
      v[u] = grid_mxm_product<O>(J, a1, b1, entry[u], (uint32_t)e[u]);
    }
#pragma unroll
    for (int u = 0; u < GRID_MXM_B_ROWS; u++) {
      if (e[u] < to[u]) grid_mxm_add_to_column<O>(c[u], v[u], allowed, row);
      for (e[u] += 32; e[u] < to[u]; e[u] += 32)
        grid_mxm_add_to_column<O>(J.b_idx[e[u]], grid_mxm_product<O>(J, a1, b1, entry[u], (uint32_t)e[u]),
                                  allowed, row);
      __syncwarp();
    }
  }
}

// The products of A's entries from .. to - 1, of which every `step`-th 32 are this warp's.
template <class O>
GRID_FN void grid_mxm_add_entries(const grid_mxm_job &J, const typename O::a_t &a1, const typename O::x_t &b1,
                                  uint64_t from, uint64_t to, unsigned step, const uint32_t *allowed,
                                  const grid_mxm_row<O> &row) {
  const unsigned lane = threadIdx.x & 31;
  if (lane < GRID_MXM_COLUMN_WORDS) row.bits[lane] = 0;
  __syncwarp();
  for (uint64_t e = from; e < to; e += 32 * step) {
    uint32_t begin = 0, end = 0;
    if (e + lane < to) {
      const uint32_t k = J.a_idx[e + lane];
      begin = J.b_ptr[k], end = J.b_ptr[k + 1];
    }
    grid_mxm_add_rows<O>(J, a1, b1, (uint32_t)e, begin, end, allowed, row);
  }
}

// Stores the bits and the number of columns of row r; a warp calls, lane k with word k.
GRID_FN void grid_mxm_store_bits(const grid_mxm_job &J, uint32_t r, uint32_t word) {
  const unsigned lane = threadIdx.x & 31;
  const uint32_t count = grid_mxm_warp_sum(__popc(word));
  if (lane < GRID_MXM_COLUMN_WORDS) J.row_bits[(uint64_t)r * GRID_MXM_COLUMN_WORDS + lane] = word;
  if (lane == 0) J.count[r] = count;
}

template <class O>
GRID_FN void grid_mxm_columns_by_warp(const grid_mxm_job &J, const typename O::a_t &a1,
                                      const typename O::x_t &b1) {
  typedef typename O::z_t z_t;
  enum { WARPS = GRID_MXM_SHORT_THREADS / 32 };
  extern __shared__ __align__(16) char grid_mxm_shared[];
  __shared__ uint32_t bits[WARPS][GRID_MXM_COLUMN_WORDS], allowed[WARPS][GRID_MXM_COLUMN_WORDS];
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x / 32;
  const grid_mxm_row<O> row = {(z_t *)grid_mxm_shared + warp * J.n, bits[warp]};
  for (uint64_t k = blockIdx.x * (uint64_t)WARPS + warp; k < J.rows; k += gridDim.x * (uint64_t)WARPS) {
    const uint32_t r = J.list[k];
    const bool any = grid_mxm_allow(J, r, allowed[warp]);
    grid_mxm_add_entries<O>(J, a1, b1, J.a_ptr[r], any ? J.a_ptr[r + 1] : 0, 1, allowed[warp], row);
    grid_mxm_store_bits(J, r, lane < GRID_MXM_COLUMN_WORDS ? row.bits[lane] : 0);
    for (unsigned c = lane; c < J.n; c += 32)
      if (row.bits[c >> 5] >> (c & 31) & 1) ((z_t *)J.row_values)[r * J.n + c] = row.sum[c];
    __syncwarp();
  }
}

template <class O>
GRID_FN void grid_mxm_columns_by_block(const grid_mxm_job &J, const typename O::a_t &a1,
                                       const typename O::x_t &b1) {
  typedef typename O::z_t z_t;
  enum { WARPS = GRID_MXM_THREADS / 32 };
  extern __shared__ __align__(16) char grid_mxm_shared[];
  __shared__ uint32_t bits[WARPS][GRID_MXM_COLUMN_WORDS], allowed[GRID_MXM_COLUMN_WORDS], any;
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x / 32;
  z_t *const sum = (z_t *)grid_mxm_shared;
  const grid_mxm_row<O> row = {sum + warp * J.n, bits[warp]};
  for (uint32_t r; (r = grid_mxm_next(J)) != 0xffffffffu;) {
    if (warp == 0) {
      const bool is_any = grid_mxm_allow(J, r, allowed);
      if (lane == 0) any = is_any;
    }
    __syncthreads();
    grid_mxm_add_entries<O>(J, a1, b1, (uint64_t)J.a_ptr[r] + 32 * warp, any ? J.a_ptr[r + 1] : 0, WARPS,
                            allowed, row);
    __syncthreads();
    for (unsigned c = threadIdx.x; c < J.n; c += GRID_MXM_THREADS) {
      bool has = false;
      z_t z = z_t();
      for (unsigned w = 0; w < WARPS; w++) {
        if (!(bits[w][c >> 5] >> (c & 31) & 1)) continue;
        const z_t v = sum[w * J.n + c];
        if constexpr (O::any)
          z = v;
        else
          z = has ? O::add(z, v) : v;
        has = true;
      }
      if (has) ((z_t *)J.row_values)[r * J.n + c] = z;
    }
    if (warp == 0) {
      uint32_t word = 0;
      for (unsigned w = 0; w < WARPS && lane < GRID_MXM_COLUMN_WORDS; w++) word |= bits[w][lane];
      grid_mxm_store_bits(J, r, word);
    }
  }
}
#endif
