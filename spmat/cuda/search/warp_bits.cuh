// Small steps over a warp, and bits of 32-bit words.
#ifndef GRID_WARP_BITS_CUH
#define GRID_WARP_BITS_CUH
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
// The n-th set bit of a word, n = 0, 1, ...
__device__ inline uint32_t nth_bit(uint32_t word, uint32_t n) {
  uint32_t at = 0;
#pragma unroll
  for (uint32_t half = 16; half > 0; half /= 2) {
    const uint32_t below = __popc(word >> at & ((1u << half) - 1));
    if (n >= below) n -= below, at += half;
  }
  return at;
}
// Transposes a square of bits, a row in each lane: bit k of lane l becomes bit l of lane k.
__device__ inline uint32_t transposed(uint32_t x) {
#pragma unroll
  for (uint32_t d = 16, half = 0x0000ffff; d; half ^= half << (d >>= 1)) {
    const uint32_t y = __shfl_xor_sync(ALL, x, d);
    x = lane() & d ? (x & ~half) | (y >> d & half) : (x & half) | (y << d & ~half);
  }
  return x;
}
// *p if active, else 0. All of several such loads are issued before any is waited for. With a plain condition
// the compiler would copy the loaded value to another register, and wait for it there.
__device__ inline uint32_t load_if(bool active, const uint32_t *p) {
  uint32_t x;
  asm volatile("{ .reg .pred q; setp.ne.u32 q, %2, 0; mov.u32 %0, 0; @q ld.global.u32 %0, [%1]; }"
               : "=r"(x)
               : "l"(p), "r"((uint32_t)active)
               : "memory");
  return x;
}
// The device's clock.
__device__ inline uint64_t clock_ns() {
  uint64_t t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}
// Active lanes add their rows to the warp's buffer, which has room.
__device__ inline void gather(uint2 *buffer, uint32_t *count, bool active, uint2 row) {
  const uint32_t mask = __ballot_sync(ALL, active);
  if (active) buffer[*count + lanes_before(mask)] = row;
  *count += __popc(mask);
}

}  // namespace
#endif
