/* Finds the segment that holds an index. */
#ifndef GRID_SEGMENTS_H
#define GRID_SEGMENTS_H
#include <stdint.h>

/* The largest k < n with first[k * step] <= v; v >= first[0]. */
static inline uint64_t grid_segment_of(const uint64_t *first, uint64_t step, uint64_t n, uint64_t v) {
  uint64_t k = 0;
  while (n > 1) {
    const uint64_t half = n / 2;
    k += first[(k + half) * step] <= v ? half : 0;
    n -= half;
  }
  return k;
}
#endif
