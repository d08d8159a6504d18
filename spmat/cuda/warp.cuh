// Small steps over a warp, and bits of 32-bit words.
#ifndef GRID_CUDA_WARP_CUH
#define GRID_CUDA_WARP_CUH
#include <stdint.h>

namespace {

constexpr uint32_t ALL = 0xffffffffu;

__device__ inline uint32_t lane() {
  return threadIdx.x & 31;
}
__device__ inline uint32_t warp() {
  return threadIdx.x >> 5;
}
__device__ inline uint32_t lanes_before(uint32_t mask) {
  return __popc(mask & ((1u << lane()) - 1));
}
__device__ inline bool has(uint32_t word, uint32_t v) {
  return word >> (v & 31) & 1;
}

}  // namespace
#endif
