/* The classes in which vertices move (Grid_Matrix_move_labels): drawn by a hash of their numbers. */
#ifndef GRID_LABEL_CLASS_H
#define GRID_LABEL_CLASS_H
#include "spmat/vector/bits.h"

/* One of 2^bits, for 1 to 15 bits; the low 48 bits of the key count. */
GRID_HOST_DEVICE_INLINE uint32_t grid_label_class(uint64_t vertex, uint64_t key, int bits) {
  uint64_t h = (vertex ^ (key & ((UINT64_C(1) << 48) - 1))) + UINT64_C(0x9e3779b97f4a7c15);
  h = (h ^ (h >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  h = (h ^ (h >> 27)) * UINT64_C(0x94d049bb133111eb);
  return (uint32_t)(h >> (64 - bits));
}
#endif
