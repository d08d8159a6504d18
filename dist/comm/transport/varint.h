/* Variable-length integers (LEB128): seven bits a byte, lowest first; the highest bit is set if another
 * byte follows. Ascending lists are encoded as differences. */
#ifndef GRID_VARINT_H
#define GRID_VARINT_H
#include <stdint.h>

static inline uint64_t grid_varint_size(uint64_t x) {
  uint64_t n = 1;
  while (x >>= 7) n++;
  return n;
}
/* Both advance *at. */
static inline void grid_varint_write(uint8_t **at, uint64_t x) {
  for (; x > 0x7f; x >>= 7) *(*at)++ = (uint8_t)(x | 0x80);
  *(*at)++ = (uint8_t)x;
}
static inline uint64_t grid_varint_get(const uint8_t **at) {
  uint64_t x = 0;
  for (unsigned shift = 0;; shift += 7) {
    const uint8_t byte = *(*at)++;
    x |= (uint64_t)(byte & 0x7f) << shift;
    if (byte < 0x80) return x;
  }
}
#endif
