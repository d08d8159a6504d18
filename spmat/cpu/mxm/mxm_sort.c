/* Sorts a row's products. */
#include "spmat/cpu/mxm/mxm_job.h"
#include "spmat/sort/radix.h"

enum { MERGED = 24 }; /* up to this many runs are merged pairwise */

/* Without a branch on the comparison, which is unpredictable. */
static void merge(uint64_t *restrict to, const uint64_t *a, const uint64_t *aend, const uint64_t *b,
                  const uint64_t *bend) {
  while (a < aend && b < bend) {
    const uint64_t x = *a, y = *b;
    const bool second = y < x;
    *to++ = second ? y : x;
    a += !second, b += second;
  }
  while (a < aend) *to++ = *a++;
  while (b < bend) *to++ = *b++;
}

const uint64_t *grid_mxm_sort(uint64_t *key, uint64_t *scratch, uint64_t n, uint32_t *run, uint64_t runs) {
  if (runs > MERGED) {
    grid_radix_sort(key, NULL, n, 0, 0, 32, scratch, NULL);
    return key;
  }
  while (runs > 1) {
    uint64_t left = 0;
    for (uint64_t r = 0; r < runs; r += 2) {
      const uint64_t from = run[r], mid = r + 1 < runs ? run[r + 1] : n, end = r + 2 < runs ? run[r + 2] : n;
      merge(scratch + from, key + from, key + mid, key + mid, key + end);
      run[left++] = (uint32_t)from;
    }
    runs = left;
    uint64_t *const other = key;
    key = scratch, scratch = other;
  }
  return key;
}
