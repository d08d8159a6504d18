/* bits.h: the pattern of a product of a matrix of few rows, all of them at once: a bit for each row. An inner
 * index is a word, the rows that have it; a column of the product is the OR of the words it meets, and done
 * when it has all that it can get (Then et al., "The more the merrier: efficient multi-source graph
 * traversal", 2014). */
#ifndef GRID_MXM_BITS_H
#define GRID_MXM_BITS_H
#include "spmat/matrix/part.h"

/* Entry (r, c) of a matrix kept by place is bit r * cols + c. */
typedef struct {
  const uint64_t *bits;
  bool all, invert; /* every place, without bits; those whose bit is 0 */
  uint64_t rows, cols;
} grid_places;

/* A, by place or, `places` NULL, as a part. */
typedef struct {
  const grid_places *places;
  const grid_part *part;
  uint64_t rows, inner;
} grid_mxm_bits_a;

/* t, bits of allowed->rows x allowed->cols places that are 0 before, gets those of A B that `allowed` allows.
 * B: by columns, with heads or without. x, y: workspace, as many words as there are inner indices and
 * columns. */
void grid_mxm_bits(uint64_t *t, const grid_mxm_bits_a *a, const grid_places *allowed,
                   const grid_compressed *b, uint64_t *x, uint64_t *y);
#endif
