/* Shares of a matrix's rows, in words of 64 rows, that threads take one by one. Shares have about equal
 * numbers of rows and entries together: long rows may be the first ones. */
#ifndef GRID_ROW_SHARES_H
#define GRID_ROW_SHARES_H
#include "spmat/matrix/local_matrix.h"
#include "spmat/vector/bitmap_words.h"

/* How many shares `words` words make: of `most` words in the mean, or fewer, so that threads end together. */
static inline uint64_t grid_row_shares(uint64_t words, uint64_t most, int threads) {
  enum { SHARES_A_THREAD = 16 };
  const uint64_t n = words / most, least = SHARES_A_THREAD * (uint64_t)threads,
                 shares = n > least ? n : least;
  return shares < words ? shares : words;
}

/* The first word of share k of n of m's rows. */
static inline uint64_t grid_row_share_start(const grid_compressed *m, uint64_t rows, uint64_t k, uint64_t n) {
  const uint64_t first = grid_vector_start(m, 0), all = rows + grid_vector_start(m, rows) - first;
  uint64_t from = 0, to = grid_words(rows);
  if (k == n) return to;
  while (from < to) {
    const uint64_t w = from + (to - from) / 2;
    if (64 * w + grid_vector_start(m, 64 * w) - first < all / n * k)
      from = w + 1;
    else
      to = w;
  }
  return from;
}
#endif
