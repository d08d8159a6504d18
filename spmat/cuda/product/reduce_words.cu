// Small reductions that several processes need: copies of a bitmap joined, which NCCL lacks
// (dist/grid/transport_nccl.c), and the degrees of an owned chunk (dist/op/mxv_grid.c).
#include "spmat/cuda/device/cuda.cuh"

namespace {
__global__ void or_kernel(uint64_t *to, const uint64_t *from, uint64_t n, uint64_t copies) {
  GRID_FOR(i, n) {
    uint64_t x = 0;
    for (uint64_t c = 0; c < copies; c++) x |= from[c * n + i];
    to[i] = x;
  }
}

// A warp takes 32 vertices at a time.
__global__ void degree_kernel(unsigned long long *sum, const uint32_t *degree, const uint32_t *bits,
                              uint64_t n) {
  unsigned long long mine = 0;
  GRID_FOR(i, n) if (!bits || (bits[i >> 5] >> (i & 31) & 1)) mine += degree[i];
  for (int d = 16; d > 0; d /= 2) mine += __shfl_xor_sync(~0u, mine, d);
  if ((threadIdx.x & 31) == 0 && mine) atomicAdd(sum, mine);
}
}  // namespace

extern "C" GrB_Info grid_cuda_or_words(uint64_t *to, const uint64_t *from, uint64_t n, uint64_t copies) {
  if (n == 0) return GrB_SUCCESS;
  const unsigned threads = 256, blocks = grid_cuda_blocks(n, threads, 8 * grid_cuda_multiprocessors());
  or_kernel<<<blocks, threads, 0, grid_cuda_stream()>>>(to, from, n, copies);
  return grid_cuda_launched("joining bitmaps");
}

extern "C" GrB_Info grid_cuda_sum_degrees(uint64_t *sum, const uint32_t *degree, const uint64_t *bits,
                                          uint64_t n) {
  const unsigned threads = 256, blocks = grid_cuda_blocks(n, threads, 8 * grid_cuda_multiprocessors());
  unsigned long long *there = (unsigned long long *)grid_device_malloc(1, sizeof *there);
  GrB_Info info = GrB_SUCCESS;
  *sum = 0;
  if (!there) return grid_device_fail_memory(NULL, "a counter", 1, sizeof *there);
  TRY(grid_device_zero(there, sizeof *there));
  degree_kernel<<<blocks, threads, 0, grid_cuda_stream()>>>(there, degree, (const uint32_t *)bits, n);
  TRY(grid_cuda_launched("adding degrees"));
  TRY(grid_device_get(sum, there, sizeof *sum));
done:
  grid_device_free(there);
  return info;
}
