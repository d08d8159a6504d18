/* Bitmaps: bit i of word i / 64 is index i; the bits of the last word beyond the length are 0. */
#ifndef GRID_BITS_H
#define GRID_BITS_H
#include <stdbool.h>
#include <stdint.h>

/* Functions for the CPU and for CUDA kernels. */
#ifdef __CUDACC__
#define GRID_HOST_DEVICE_INLINE __host__ __device__ static inline
#else
#define GRID_HOST_DEVICE_INLINE static inline
#endif

GRID_HOST_DEVICE_INLINE uint64_t grid_words(uint64_t n) {
  return (n + 63) / 64;
}
GRID_HOST_DEVICE_INLINE bool grid_bit(const uint64_t *b, uint64_t i) {
  return b[i >> 6] >> (i & 63) & 1;
}
/* The bits of word w that are indices below n. */
GRID_HOST_DEVICE_INLINE uint64_t grid_tail(uint64_t n, uint64_t w) {
  uint64_t left = n - 64 * w;
  return left >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << left) - 1;
}
#endif
