/* A dense pattern as bits. Row r is the `words` 64-bit words from bits + r * words on; bit c % 64 of word c /
 * 64 is column c, and bits beyond the last column are 0. Rows are padded to whole words, so that a row, a
 * range of its words and a bitmap over the columns are arrays of the same form. Kernels intersect them word
 * by word, on the host as on a device. */
#ifndef GRID_BIT_ROWS_H
#define GRID_BIT_ROWS_H
#include "spmat/vector/bits.h"

typedef struct {
  uint64_t rows, cols, words; /* words = grid_words(cols) */
  uint64_t *bits;             /* NULL: there are none */
} grid_bit_rows;

static inline uint64_t *grid_bit_row(const grid_bit_rows *b, uint64_t r) {
  return b->bits + r * b->words;
}
static inline uint64_t grid_bit_rows_bytes(const grid_bit_rows *b) {
  return b->bits ? b->rows * b->words * 8 : 0;
}
#endif
