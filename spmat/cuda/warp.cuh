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
// The device's own clock.
__device__ inline uint64_t clock_ns() {
  uint64_t t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}
// The lanes with `here` add theirs to the warp's buffer, which has room.
__device__ inline void gather(uint2 *buffer, uint32_t *count, bool here, uint2 row) {
  const uint32_t mask = __ballot_sync(ALL, here);
  if (here) buffer[*count + lanes_before(mask)] = row;
  *count += __popc(mask);
}

}  // namespace
#endif
