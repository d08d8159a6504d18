/* mxm_bitwords.h: the pattern of a product of a matrix of few rows, all of them at once: a bit for each row. An inner
 * index is a word, the rows that have it; a column of the product is the OR of the words it meets, and done
 * when it has all that it can get (Then et al., "The more the merrier: efficient multi-source graph
 * traversal", 2014). */
#ifndef GRID_MXM_BITWORDS_H
#define GRID_MXM_BITWORDS_H
#include "spmat/matrix/local_matrix.h"
#include "spmat/vector/chunk.h"

/* Entry (r, c) of a matrix kept by place is bit r * cols + c. */
typedef struct {
  const uint64_t *bits;
  bool all, invert; /* every place, without bits; those whose bit is 0 */
  uint64_t rows, cols;
} grid_position_bits;

/* The bits of up to 64 places from `at` on, of which `there` are there: those beyond are 0. */
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

/* A, by place or, `places` NULL, as a part. */
typedef struct {
  const grid_position_bits *positions;
  const grid_local_matrix *lmat;
  uint64_t rows, inner;
} grid_mxm_bits_a;

/* t, bits of allowed->rows x allowed->cols places that are 0 before, gets those of A B that `allowed` allows.
 * B: by columns, with heads or without. x, y: workspace, as many words as there are inner indices and
 * columns. */
void grid_mxm_bits(uint64_t *t, const grid_mxm_bits_a *a, const grid_position_bits *allowed,
                   const grid_compressed *b, uint64_t *x, uint64_t *y);

/* The same of a product of few columns: 64 of them, from column `first` on, or as many as there are. x: for
 * each inner index the columns in which B has it; `any`: their OR. a: A's rows, on the axis `rows`, of which
 * row id goes to row id of the result, each bit at place row * cols + column of t. */
typedef struct {
  uint64_t *t;
  uint64_t first;
  const grid_position_bits *allowed;
  const grid_axis *rows;
  const grid_compressed *a;
  const uint64_t *x;
  uint64_t any;
} grid_mxm_tall;
void grid_mxm_tall_pull(const grid_mxm_tall *j);
/* The same by what x has entries of, words, from inner index to row, on one thread. in: the axis of x's
 * indices, a: its vectors; out: the axis of the rows. word[r], bit r of some (0 before): what row r gets, and
 * that it does; word need not be set before. Returns how many rows do. */
typedef struct {
  const grid_chunk *x;
  uint64_t first;
  const grid_position_bits *allowed;
  const grid_axis *in, *out;
  const grid_compressed *a;
  uint64_t *word, *nonempty;
} grid_mxm_tall_sparse;
uint64_t grid_mxm_tall_push(const grid_mxm_tall_sparse *j);
/* t, bits by place, in rows of `cols`, gets a word of row `row`, from column `first` on. */
void grid_mxm_tall_or(uint64_t *t, uint64_t row, uint64_t cols, uint64_t first, uint64_t word);
#endif
