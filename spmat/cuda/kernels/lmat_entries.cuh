// Iterates over the entries of a local matrix's rows: a block takes a tile of them, whatever rows they are
// in. Shared by compiled-in kernels and those compiled at run time.
#ifndef GRID_LMAT_ENTRIES_CUH
#define GRID_LMAT_ENTRIES_CUH

enum { GRID_CSR_THREADS = 256, GRID_CSR_TILE = 2048 };

typedef struct {
  const uint32_t *ptr, *idx;
  uint64_t n, nvals;  // rows, entries
} grid_csr_pattern;

// Global positions of compact indices (grid_index_map without a table).
typedef struct {
  uint64_t base, q, stride, offset;
} grid_device_index_map;

#ifdef GRID_FN
GRID_FN uint64_t grid_device_index_map_at(const grid_device_index_map &p, uint64_t k) {
  return p.q == 0 ? p.base + k : (k / p.q * p.stride + p.offset) * p.q + k % p.q;
}

// The last row r of [lo, hi] with ptr[r] <= e: that of entry e.
GRID_FN uint64_t grid_csr_find_row(const uint32_t *ptr, uint64_t lo, uint64_t hi, uint64_t e) {
  while (lo < hi) {
    const uint64_t mid = lo + (hi - lo + 1) / 2;
    if (ptr[mid] <= e)
      lo = mid;
    else
      hi = mid - 1;
  }
  return lo;
}

// The first of idx[from .. to) that is at least k, or `to`.
GRID_FN uint32_t grid_csr_lower_bound(const uint32_t *idx, uint32_t from, uint32_t to, uint32_t k) {
  while (from < to) {
    const uint32_t mid = from + (to - from) / 2;
    if (idx[mid] < k)
      from = mid + 1;
    else
      to = mid;
  }
  return from;
}

// visit(in, e, lo, hi) for each entry e (in), whose row is one of lo .. hi. Whole warps call it with 32
// consecutive entries, the first of them a multiple of 32. All threads of all blocks call.
template <class Visit>
GRID_FN void grid_csr_for_each(const grid_csr_pattern &m, Visit visit) {
  __shared__ uint64_t ends[2];
  const uint64_t tiles = (m.nvals + GRID_CSR_TILE - 1) / GRID_CSR_TILE;
  for (uint64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const uint64_t first = tile * GRID_CSR_TILE,
                   last = (first + GRID_CSR_TILE < m.nvals ? first + GRID_CSR_TILE : m.nvals) - 1;
    __syncthreads();
    if (threadIdx.x < 2) ends[threadIdx.x] = grid_csr_find_row(m.ptr, 0, m.n - 1, threadIdx.x ? last : first);
    __syncthreads();
    for (uint64_t e = first + threadIdx.x; (e & ~(uint64_t)31) <= last; e += GRID_CSR_THREADS)
      visit(e <= last, e, ends[0], ends[1]);
  }
}
#endif
#endif
