/* See checksum.h. */
#include "spmat/convert/checksum.h"

#include <string.h>

static inline uint64_t mix_hash(uint64_t h, uint64_t x) {
  h = (h ^ x) * UINT64_C(0x9e3779b97f4a7c15);
  return h ^ h >> 29;
}

/* Four independent words at a time. */
uint64_t grid_checksum(const char *p, uint64_t bytes, uint64_t seed) {
  uint64_t h[4] = {seed, ~seed, seed * 3, seed * 5}, x[4], k = 0;
  for (; k + 32 <= bytes; k += 32) {
    memcpy(x, p + k, sizeof x);
    for (int i = 0; i < 4; i++) h[i] = mix_hash(h[i], x[i]);
  }
  for (; k < bytes; k += 8) {
    memcpy(x, p + k, sizeof *x);
    h[0] = mix_hash(h[0], x[0]);
  }
  return mix_hash(mix_hash(mix_hash(h[0], h[1]), h[2]), h[3]);
}
