/* Random numbers for the CPU and for CUDA kernels. They are a hash of two numbers and a key, that of
 * SplitMix64, so they are the same on any grid and in any order.
 *
 * Source: Steele, Lea, Flood, Fast splittable pseudorandom number generators (2014). */
#ifndef GRID_RANDOM_HASH_H
#define GRID_RANDOM_HASH_H
#include "spmat/vector/bits.h"

/* A number from 0 to below 1 that depends on i, j and key alone. */
GRID_HOST_DEVICE_INLINE double grid_random(uint64_t i, uint64_t j, uint64_t key) {
  uint64_t h = i ^ key;
  for (int k = 0; k < 2; k++) {
    h += UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ (h >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    h = (h ^ (h >> 27)) * UINT64_C(0x94d049bb133111eb);
    h ^= h >> 31;
    if (k == 0) h += j;
  }
  return (double)(h >> 11) * 0x1p-53;
}

/* The key of a seed. i ^ key is hashed: with keys that differ in a few bits the numbers of one i would be
 * those of another. */
GRID_HOST_DEVICE_INLINE uint64_t grid_random_key(uint64_t seed) {
  return (uint64_t)(grid_random(seed, 0, 0) * 0x1p53) << 11;
}
#endif
