/* The pattern of a product of a matrix with few rows, all of them at once, a bit for each row. An inner index
 * is a word, the rows that have it. A column of the product is the OR of the words of its inner indices. It
 * is complete when it has all bits that it can get (Then et al., "The more the merrier: efficient
 * multi-source graph traversal", 2014). */
#ifndef GRID_MXM_BITWORDS_H
#define GRID_MXM_BITWORDS_H
#include "spmat/matrix/local_matrix.h"
#include "spmat/vector/chunk.h"

/* Entry (r, c) of a matrix in bitmap format is bit r * cols + c. */
typedef struct {
  const uint64_t *bits;
  bool all, invert; /* every position, without bits; the positions whose bit is 0 */
  uint64_t rows, cols;
} grid_position_bits;

/* The `width` <= 64 bits from position `at` on; bits beyond the end are 0. */
static inline uint64_t grid_position_window(const grid_position_bits *p, uint64_t at, uint64_t width) {
  uint64_t x = UINT64_MAX;
  if (!p->all) {
    const unsigned shift = at & 63;
    x = p->bits[at >> 6] >> shift;
    if (shift && width > 64 - shift) x |= p->bits[(at >> 6) + 1] << (64 - shift);
    if (p->invert) x = ~x;
  }
  return width < 64 ? x & ((UINT64_C(1) << width) - 1) : x;
}

/* word[k] = the bits of row k of the axis, up to 64 columns from `first` on; returns the OR of all. */
uint64_t grid_position_words(const grid_position_bits *p, const grid_axis *rows, uint64_t first,
                             uint64_t *word);

/* A as a bitmap or, `positions` NULL, as a local matrix. */
typedef struct {
  const grid_position_bits *positions;
  const grid_local_matrix *lmat;
  uint64_t rows, inner;
} grid_mxm_bits_a;

/* t, zero bits of allowed->rows x allowed->cols, gets the positions of A B in `allowed`. B: by columns, with
 * hub neighbors or without. x, y: workspace, one word for each inner index and each column. */
void grid_mxm_bits(uint64_t *t, const grid_mxm_bits_a *a, const grid_position_bits *allowed,
                   const grid_compressed *b, uint64_t *x, uint64_t *y);

/* The same for a product with few columns: 64 of them, or fewer at the end, from column `first` on. x: for
 * each inner index the columns in which B has it; `any`: their OR. a: A's rows, on the axis `rows`; id `from`
 * is row 0 of t and of `allowed`. A row gets its bits at row * cols + column of t. */
typedef struct {
  uint64_t *t;
  uint64_t first, from;
  const grid_position_bits *allowed;
  const grid_axis *rows;
  const grid_compressed *a;
  const uint64_t *x;
  uint64_t any;
} grid_mxm_tall;
void grid_mxm_tall_pull(const grid_mxm_tall *j);
/* The same, driven by the entries of x, words by inner index, on one thread. in: the axis of x's indices, a:
 * its vectors; out: the axis of the rows. word[r]: what row r gets, set if bit r of `nonempty` (0 before) is;
 * word need not be set before. Returns the number of such rows. */
typedef struct {
  const grid_chunk *x;
  uint64_t first;
  const grid_position_bits *allowed;
  const grid_axis *in, *out;
  const grid_compressed *a;
  uint64_t *word, *nonempty;
} grid_mxm_tall_sparse;
uint64_t grid_mxm_tall_push(const grid_mxm_tall_sparse *j);
/* t, bits in rows of `cols`, gets (or-ed) a word in row `row`, from column `first` on. */
void grid_mxm_tall_or(uint64_t *t, uint64_t row, uint64_t cols, uint64_t first, uint64_t word);
#endif
