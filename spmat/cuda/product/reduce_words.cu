// Bitwise OR of copies of a bitmap, which NCCL lacks (dist/comm/transport_nccl.c).
#include "spmat/cuda/device/cuda.cuh"

namespace {
__global__ void or_kernel(uint64_t *to, const uint64_t *from, uint64_t n, uint64_t copies) {
  GRID_FOR(i, n) {
    uint64_t x = 0;
    for (uint64_t c = 0; c < copies; c++) x |= from[c * n + i];
    to[i] = x;
  }
}
}  // namespace

extern "C" GrB_Info grid_cuda_or_words(uint64_t *to, const uint64_t *from, uint64_t n, uint64_t copies) {
  if (n == 0) return GrB_SUCCESS;
  const unsigned threads = 256, blocks = grid_cuda_blocks(n, threads, 8 * grid_cuda_multiprocessors());
  or_kernel<<<blocks, threads, 0, grid_cuda_stream()>>>(to, from, n, copies);
  return grid_cuda_check_launch("joining bitmaps");
}
