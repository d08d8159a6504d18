// The kernels of C<mask> = A (+).(x) B by rows under a mask that bounds C, for any semiring O: a sum and a
// bit for each entry of the mask. Products are as many as without the mask, but each is only looked up: a
// hash table in shared memory leads from the columns of the mask's row to their entries. A long row of the
// mask is taken in pieces, with the part of B's rows between the piece's first column and its last.
#ifndef GRID_MXM_MASKED_CUH
#define GRID_MXM_MASKED_CUH
#include "mxm.cuh"

// A piece's columns and their positions in it, by column: c << 32 | position. At most half of the slots are
// used.
typedef unsigned long long grid_mxm_slot_t;

template <int THREADS, int CAPACITY>
struct grid_mxm_piece {
  grid_mxm_slot_t *table;  // of 2 * CAPACITY slots
  uint32_t *found;         // bits of the positions that have a sum: CAPACITY
  uint32_t first, n;       // entries of the mask
  unsigned shift, last;    // 32 - log2 of the slots used; those, less one
};

GRID_FN unsigned grid_mxm_masked_slot(uint32_t c, unsigned shift) {
  return c * 2654435761u >> shift;
}

// Clears the table and the sums, and inserts the piece's entries that count. The team's threads call.
template <class O, int THREADS, int CAPACITY>
GRID_FN void grid_mxm_open_piece(const grid_mxm_job &J, grid_mxm_piece<THREADS, CAPACITY> &x) {
  const grid_mxm_slot_t EMPTY = ~(grid_mxm_slot_t)0;
  const unsigned t = threadIdx.x % THREADS;
  x.shift = __clz(2 * x.n - 1), x.last = (1u << (32 - x.shift)) - 1;
  for (unsigned s = t; s <= x.last; s += THREADS) x.table[s] = EMPTY;
  for (unsigned w = t; w < (x.n + 31) / 32; w += THREADS) x.found[w] = 0;
  if constexpr (!O::structural && !O::any)
    for (uint32_t p = t; p < x.n; p += THREADS) ((typename O::z_t *)J.dot)[x.first + p] = O::start();
  grid_mxm_team_sync<THREADS>();
  for (uint32_t p = t; p < x.n; p += THREADS) {
    if (!grid_mxm_counts(J, x.first + p)) continue;
    const uint32_t c = J.m_idx[x.first + p];
    unsigned s = grid_mxm_masked_slot(c, x.shift);
    while (atomicCAS(&x.table[s], EMPTY, (grid_mxm_slot_t)c << 32 | p) != EMPTY) s = (s + 1) & x.last;
  }
  grid_mxm_team_sync<THREADS>();
}

// The position of column c in the piece, or UINT32_MAX.
template <int THREADS, int CAPACITY>
GRID_FN uint32_t grid_mxm_position(const grid_mxm_piece<THREADS, CAPACITY> &x, uint32_t c) {
  for (unsigned s = grid_mxm_masked_slot(c, x.shift);; s = (s + 1) & x.last) {
    const grid_mxm_slot_t slot = x.table[s];
    // an empty slot's position is UINT32_MAX
    if ((uint32_t)(slot >> 32) == c || slot == ~(grid_mxm_slot_t)0) return (uint32_t)slot;
  }
}

// Sets the bit of a position; true if it was not set.
GRID_FN bool grid_mxm_set_found(uint32_t *found, uint32_t position) {
  const uint32_t bit = 1u << (position & 31);
  if (*(volatile uint32_t *)&found[position >> 5] & bit) return false;
  return !(atomicOr(&found[position >> 5], bit) & bit);
}

// The bits of a piece as those of the mask's entries, which begin inside a word.
template <int THREADS, int CAPACITY>
GRID_FN void grid_mxm_store_found(const grid_mxm_job &J, const grid_mxm_piece<THREADS, CAPACITY> &x) {
  const unsigned shift = x.first & 31;
  uint32_t *to = J.dot_bits + (x.first >> 5);
  for (unsigned w = threadIdx.x % THREADS; w < (x.n + 31) / 32; w += THREADS) {
    const uint32_t low = x.found[w] << shift, high = shift ? x.found[w] >> (32 - shift) : 0;
    if (low) atomicOr(&to[w], low);
    if (high) atomicOr(&to[w + 1], high);
  }
}

// The part of row k of B whose columns are low .. high.
struct grid_mxm_part_of_rows {
  const uint32_t *ptr, *idx;
  uint32_t low, high;
  __device__ __forceinline__ uint32_t operator()(uint32_t k, uint32_t *from) const {
    *from = grid_csr_lower_bound(idx, ptr[k], ptr[k + 1], low);
    return grid_csr_lower_bound(idx, *from, ptr[k + 1], high + 1) - *from;
  }
};

template <class O, int THREADS, int CAPACITY>
GRID_FN void grid_mxm_masked_row(const grid_mxm_job &J, const typename O::a_t &a1, const typename O::x_t &b1,
                                 uint32_t r, grid_mxm_piece<THREADS, CAPACITY> x,
                                 grid_mxm_segments<THREADS> &segments, uint32_t *locks) {
  const uint32_t begin = J.m_ptr[r], end = J.m_ptr[r + 1];
  for (uint32_t left = end - begin; left > 0; left -= x.n) {
    x.first = end - left, x.n = left < CAPACITY ? left : CAPACITY;
    grid_mxm_open_piece<O>(J, x);
    const auto visit = [&](uint32_t a, uint32_t b, uint32_t c) {
      const uint32_t position = grid_mxm_position(x, c);
      if (position == 0xffffffffu) return;
      const bool fresh = grid_mxm_set_found(x.found, position);
      if constexpr (!O::structural) {
        typename O::z_t *sum = (typename O::z_t *)J.dot + x.first + position;
        if constexpr (O::any) {
          if (fresh) *sum = grid_mxm_product<O>(J, a1, b1, a, b);
        } else {
          grid_combine<O>(sum, grid_mxm_product<O>(J, a1, b1, a, b), &locks[position % GRID_MXM_LOCKS]);
        }
      }
    };
    if (end - begin <= CAPACITY)
      grid_mxm_products(J, r, segments, grid_mxm_whole_rows{J.b_ptr}, visit);
    else
      grid_mxm_products(J, r, segments,
                        grid_mxm_part_of_rows{J.b_ptr, J.b_idx, J.m_idx[x.first], J.m_idx[x.first + x.n - 1]},
                        visit);
    grid_mxm_store_found(J, x);
    grid_mxm_team_sync<THREADS>();
  }
}

template <class O>
GRID_FN void grid_mxm_masked_by_block(const grid_mxm_job &J, const typename O::a_t &a1,
                                      const typename O::x_t &b1) {
  extern __shared__ __align__(16) char grid_mxm_shared[];
  __shared__ grid_mxm_segments<GRID_MXM_THREADS> segments;
  __shared__ uint32_t found[GRID_MXM_PIECE / 32], locks[GRID_MXM_LOCKS];
  const grid_mxm_piece<GRID_MXM_THREADS, GRID_MXM_PIECE> x = {
      (grid_mxm_slot_t *)grid_mxm_shared, found, 0, 0, 0, 0};
  if (threadIdx.x < GRID_MXM_LOCKS) locks[threadIdx.x] = 0;
  for (uint32_t r; (r = grid_mxm_next(J)) != 0xffffffffu;)
    grid_mxm_masked_row<O>(J, a1, b1, r, x, segments, locks);
}

template <class O>
GRID_FN void grid_mxm_masked_by_warp(const grid_mxm_job &J, const typename O::a_t &a1,
                                     const typename O::x_t &b1) {
  __shared__ grid_mxm_slot_t tables[GRID_MXM_WARPS][2 * GRID_MXM_MASKED_SHORT];
  __shared__ grid_mxm_segments<32> segments[GRID_MXM_WARPS];
  __shared__ uint32_t found[GRID_MXM_WARPS][GRID_MXM_MASKED_SHORT / 32], locks[GRID_MXM_LOCKS];
  const unsigned warp = threadIdx.x / 32;
  const grid_mxm_piece<32, GRID_MXM_MASKED_SHORT> x = {tables[warp], found[warp], 0, 0, 0, 0};
  if (threadIdx.x < GRID_MXM_LOCKS) locks[threadIdx.x] = 0;
  __syncthreads();
  for (uint64_t k = blockIdx.x * (uint64_t)GRID_MXM_WARPS + warp; k < J.rows;
       k += gridDim.x * (uint64_t)GRID_MXM_WARPS)
    grid_mxm_masked_row<O>(J, a1, b1, J.list[k], x, segments[warp], locks);
}
#endif
