// The entries of a part's rows, as kernels see them: a block takes a tile of them, whatever rows they are in.
// Shared by compiled kernels and those made at run time.
#ifndef GRID_PART_ENTRIES
#define GRID_PART_ENTRIES

enum { GRID_PART_THREADS = 256, GRID_PART_TILE = 2048 };

typedef struct {
  const uint32_t *ptr, *idx;
  uint64_t n, nvals;  // rows, entries
} grid_part_rows;

// Where compact indices stand in the whole (grid_places without a table).
typedef struct {
  uint64_t base, q, stride, offset;
} grid_part_places;

#ifdef GRID_FN
GRID_FN uint64_t grid_part_place(const grid_part_places &p, uint64_t k) {
  return p.q == 0 ? p.base + k : (k / p.q * p.stride + p.offset) * p.q + k % p.q;
}

// The last row r of [lo, hi] with ptr[r] <= e: that of entry e.
GRID_FN uint64_t grid_part_row(const uint32_t *ptr, uint64_t lo, uint64_t hi, uint64_t e) {
  while (lo < hi) {
    const uint64_t mid = lo + (hi - lo + 1) / 2;
    if (ptr[mid] <= e)
      lo = mid;
    else
      hi = mid - 1;
  }
  return lo;
}

// Of idx[from .. to) the first that is not below k, or `to`.
GRID_FN uint32_t grid_part_bound(const uint32_t *idx, uint32_t from, uint32_t to, uint32_t k) {
  while (from < to) {
    const uint32_t mid = from + (to - from) / 2;
    if (idx[mid] < k)
      from = mid + 1;
    else
      to = mid;
  }
  return from;
}

// visit(in, e, lo, hi) for each entry e (in), whose row is one of lo .. hi; whole warps call it, and the
// threads of a warp have 32 neighbours, the first of them a multiple of 32. All threads of all blocks call.
template <class Visit>
GRID_FN void grid_part_each(const grid_part_rows &m, Visit visit) {
  __shared__ uint64_t ends[2];
  const uint64_t tiles = (m.nvals + GRID_PART_TILE - 1) / GRID_PART_TILE;
  for (uint64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const uint64_t first = tile * GRID_PART_TILE,
                   last = (first + GRID_PART_TILE < m.nvals ? first + GRID_PART_TILE : m.nvals) - 1;
    __syncthreads();
    if (threadIdx.x < 2) ends[threadIdx.x] = grid_part_row(m.ptr, 0, m.n - 1, threadIdx.x ? last : first);
    __syncthreads();
    for (uint64_t e = first + threadIdx.x; (e & ~(uint64_t)31) <= last; e += GRID_PART_THREADS)
      visit(e <= last, e, ends[0], ends[1]);
  }
}
#endif
#endif
