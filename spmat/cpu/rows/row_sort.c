/* See row_sort.h. */
#include "spmat/cpu/rows/row_sort.h"

#include <string.h>

#include "spmat/sort/radix.h"
#include "spmat/vector/bound_operator.h"

uint64_t grid_row_sort(uint32_t *idx, char *val, uint64_t n, size_t size, uint64_t longest, void *workspace) {
  uint64_t *key = workspace, *tmp = key + longest, m = 0;
  char *values = (char *)(tmp + longest);
  bool ready = true;
  for (uint64_t k = 1; k < n; k++) ready &= idx[k] > idx[k - 1];
  if (ready) return n;
  for (uint64_t k = 0; k < n; k++) key[k] = (uint64_t)idx[k] << 32 | k;
  grid_radix_sort(key, NULL, n, 0, 0, 32, tmp, NULL);
  if (size) memcpy(values, val, n * size);
  for (uint64_t k = 0; k < n; k++) {
    if (k && key[k] >> 32 == key[k - 1] >> 32) continue;
    idx[m] = (uint32_t)(key[k] >> 32);
    if (size) grid_value_copy(val + m * size, values + (uint32_t)key[k] * size, size);
    m++;
  }
  return m;
}
