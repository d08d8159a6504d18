/* See sort_by_count.h: a radix sort. */
#include "spmat/sort/sort_by_count.h"

enum { BITS = 11, DIGITS = 1 << BITS };

/* One pass of a stable radix sort: vertices by a digit of their counts, descending. */
static void sort_by_digit(uint32_t *to, const uint32_t *from, const uint32_t *count, uint64_t n, int shift) {
  uint64_t start[DIGITS + 1] = {0};
  for (uint64_t v = 0; v < n; v++) start[DIGITS - (count[v] >> shift & (DIGITS - 1))]++;
  for (int d = 0; d < DIGITS; d++) start[d + 1] += start[d];
  for (uint64_t k = 0; k < n; k++)
    to[start[DIGITS - 1 - (count[from[k]] >> shift & (DIGITS - 1))]++] = from[k];
}

void grid_sort_by_count(uint32_t **order, uint32_t **scratch, const uint32_t *count, uint64_t n) {
  uint32_t most = 0;
  for (uint64_t v = 0; v < n; v++) {
    (*order)[v] = (uint32_t)v;
    if (count[v] > most) most = count[v];
  }
  for (int shift = 0; shift < 32 && most >> shift; shift += BITS) {
    sort_by_digit(*scratch, *order, count, n, shift);
    uint32_t *const sorted = *scratch;
    *scratch = *order;
    *order = sorted;
  }
}
