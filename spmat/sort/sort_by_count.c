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

void grid_sort_by_count(uint32_t *order, uint32_t *scratch, const uint32_t *count, uint64_t n) {
  uint32_t most = 0;
  for (uint64_t v = 0; v < n; v++)
    if (count[v] > most) most = count[v];
  int passes = 0;
  while (passes * BITS < 32 && most >> passes * BITS) passes++;
  uint32_t *to[] = {order, scratch}; /* to[k % 2] after k passes that remain */
  for (uint64_t v = 0; v < n; v++) to[passes % 2][v] = (uint32_t)v;
  for (int k = passes; k > 0; k--) sort_by_digit(to[(k - 1) % 2], to[k % 2], count, n, (passes - k) * BITS);
}
