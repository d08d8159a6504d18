/* few.c: see few.h. */
#include "spmat/vector/few.h"

#include "spmat/vector/backend.h"

uint64_t grid_few_most = GRID_FEW_ENTRIES;
bool grid_may_pass = true;

/* A box has 8 bytes for the place of each, in front of the values. */
bool grid_are_few(uint64_t n, size_t size, uint64_t q) {
  return n <= GRID_FEW_ENTRIES && n <= grid_few_most && q <= GRID_FEW_PLACES &&
         n * size <= GRID_BOX - 8 * GRID_FEW_ENTRIES;
}

/* Each part begins at a multiple of this many bytes. */
static uint64_t even(uint64_t bytes) {
  return (bytes + 255) / 256 * 256;
}

grid_pass_places grid_pass_tray(uint64_t q, size_t size) {
  const uint64_t stretches = (q + GRID_PACKED_STRETCH - 1) / GRID_PACKED_STRETCH;
  grid_pass_places t = {.start = even(q / 8)};
  t.val = t.start + even(stretches * sizeof(uint32_t));
  t.bytes = t.val + even(q * size);
  return t;
}
