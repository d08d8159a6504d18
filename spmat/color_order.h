/* The order in which Grid_Matrix_color takes vertices, for the CPU and for CUDA kernels: by descending
 * priority, a hash of the vertex that is a bijection for each key. So no two vertices have the same. */
#ifndef GRID_COLOR_ORDER_H
#define GRID_COLOR_ORDER_H
#include "spmat/vector/bits.h"

GRID_HOST_DEVICE_INLINE uint64_t grid_color_priority(uint64_t vertex, uint64_t key) {
  uint64_t h = (vertex ^ key) + UINT64_C(0x9e3779b97f4a7c15);
  h = (h ^ (h >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  h = (h ^ (h >> 27)) * UINT64_C(0x94d049bb133111eb);
  return h ^ (h >> 31);
}

/* Keys of seeds that are close are not. */
static inline uint64_t grid_color_key(uint64_t seed) {
  return grid_color_priority(seed, 0);
}
#endif
