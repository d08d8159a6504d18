// Iterates over the entries of a matrix block. A thread block takes a tile of them, whatever vectors they
// belong to.
#ifndef GRID_ENTRIES_CUH
#define GRID_ENTRIES_CUH
#include "spmat/cuda/device/cuda.cuh"
#define GRID_FN static __device__ __forceinline__
#include "spmat/cuda/kernels/lmat_entries.cuh"

namespace {

enum { THREADS = 256, ITEMS_PER_THREAD = 8, TILE = THREADS * ITEMS_PER_THREAD };

// One orientation of n vectors, as kernels read it.
struct entries {
  const uint32_t *ptr, *idx;
  uint64_t n, nvals;
};

__host__ __device__ inline uint64_t tiles_of(const entries &m) {
  return (m.nvals + TILE - 1) / TILE;
}
inline unsigned tile_blocks(const entries &m) {
  return grid_cuda_blocks(tiles_of(m), 1, 32u * (unsigned)grid_cuda_multiprocessors());
}

// The vector of entry e, one of [lo, hi].
__device__ inline uint64_t vector_of(const entries &m, uint64_t lo, uint64_t hi, uint64_t e) {
  return grid_csr_find_row(m.ptr, lo, hi, e);
}

// A tile's first and last entry, and their vectors. All threads of the block call.
struct tile {
  uint64_t first, last;
  const uint64_t *ends;
};
__device__ inline tile load_tile(const entries &m, uint64_t number) {
  __shared__ uint64_t ends[2];
  const uint64_t first = number * TILE, last = first + TILE < m.nvals ? first + TILE - 1 : m.nvals - 1;
  __syncthreads();
  if (threadIdx.x < 2) ends[threadIdx.x] = vector_of(m, 0, m.n - 1, threadIdx.x ? last : first);
  __syncthreads();
  return tile{first, last, ends};
}

// visit(e, v) for each entry e, of vector v. All threads of all blocks call.
template <class Visit>
__device__ void for_entries(const entries &m, Visit visit) {
  const uint64_t tiles = tiles_of(m);
  for (uint64_t number = blockIdx.x; number < tiles; number += gridDim.x) {
    const tile t = load_tile(m, number);
    const uint64_t lo = t.ends[0], hi = t.ends[1];
    for (uint64_t e = t.first + threadIdx.x; e <= t.last; e += THREADS) visit(e, vector_of(m, lo, hi, e));
  }
}

}  // namespace
#endif
