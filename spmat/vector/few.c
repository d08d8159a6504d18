/* few.c: see few.h. */
#include "spmat/vector/few.h"

uint64_t grid_few_most = GRID_FEW_ENTRIES;

/* A box has 8 bytes for the place of each, in front of the values. */
bool grid_are_few(uint64_t n, size_t size, uint64_t q) {
  return n <= GRID_FEW_ENTRIES && n <= grid_few_most && q <= GRID_FEW_PLACES &&
         n * size <= GRID_BOX - 8 * GRID_FEW_ENTRIES;
}
