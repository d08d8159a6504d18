/* The entries of a row that Grid_Matrix_sample draws: the same for the CPU and in CUDA kernels.
 *
 * k of n positions are drawn by Floyd's method, k random numbers in all: position t = random number below
 * j + 1 for j = n - k .. n - 1, and j itself where t was drawn before. Every subset is equally likely. The
 * positions are marked in a bitmap, from which they are read in order.
 *
 * Source: Bentley, Floyd, Programming pearls: a sample of brilliance (1987). */
#ifndef GRID_SAMPLE_ROWS_H
#define GRID_SAMPLE_ROWS_H
#include "spmat/random_hash.h"

/* How many entries are drawn of a row of `degree` entries. */
GRID_HOST_DEVICE_INLINE uint64_t grid_sample_size(uint64_t degree, int64_t count) {
  return count < 0 || degree < (uint64_t)count ? degree : (uint64_t)count;
}

/* Sets a bit, and returns whether it was set. In a kernel other rows may have bits in the same word. */
GRID_HOST_DEVICE_INLINE bool grid_sample_mark(uint64_t *bits, uint64_t at) {
  const uint64_t bit = UINT64_C(1) << (at & 63);
#ifdef __CUDA_ARCH__
  return (atomicOr((unsigned long long *)bits + (at >> 6), (unsigned long long)bit) & bit) != 0;
#else
  const bool was_set = (bits[at >> 6] & bit) != 0;
  bits[at >> 6] |= bit;
  return was_set;
#endif
}

/* Marks k of the n positions of row number `row`, k < n; position 0 has the bit `begin`. No bit of the row is
 * set before. */
GRID_HOST_DEVICE_INLINE void grid_sample_row(uint64_t *bits, uint64_t begin, uint64_t n, uint64_t k,
                                             uint64_t row, uint64_t key) {
  for (uint64_t j = n - k; j < n; j++) {
    const uint64_t t = (uint64_t)(grid_random(row, j, key) * (double)(j + 1));
    if (grid_sample_mark(bits, begin + t)) grid_sample_mark(bits, begin + j);
  }
}
#endif
