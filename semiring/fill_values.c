/* Copies arrays of values, or fills them with one value. */
#include <string.h>

#include "semiring/support/simd_levels.h"
#include "semiring/semiring.h"

#define FILL(C)                                                         \
  GRID_LEVELS static void fill_##C(void *zv, const void *x, size_t n) { \
    C *z = zv, c;                                                       \
    memcpy(&c, x, sizeof c);                                            \
    for (size_t k = 0; k < n; k++) z[k] = c;                            \
  }
FILL(uint16_t)
FILL(uint32_t)
FILL(uint64_t)

static void fill(void *z, const void *x, size_t size, size_t n) {
  if (size == 1)
    memset(z, *(const unsigned char *)x, n);
  else if (size == 2)
    fill_uint16_t(z, x, n);
  else if (size == 4)
    fill_uint32_t(z, x, n);
  else if (size == 8)
    fill_uint64_t(z, x, n);
  else
    for (size_t k = 0; k < n; k++) memmove((char *)z + k * size, x, size);
}

void grid_copy_array(void *z, const void *x, size_t xstep, size_t size, size_t n) {
  if (n == 0) return;
  if (xstep == 0)
    fill(z, x, size, n);
  else if (z != x)
    memcpy(z, x, n * size);
}
