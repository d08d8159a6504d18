/* lmat_kronecker.h: the Kronecker product of two parts, as far as it falls into one block. Parts lie on the host,
 * compressed by row. */
#ifndef GRID_LMAT_KRONECKER_H
#define GRID_LMAT_KRONECKER_H
#include "semiring/semiring.h"
#include "spmat/matrix/local_matrix.h"

/* The block: rows of the chunks whose number is i modulo R, local ones without gaps; `cols` columns from
 * `base` on. Chunks have q rows, or (first not NULL) chunk k of so many begins
 * at first[k] and, in its block, at place[k]. */
typedef struct {
  uint64_t q, R, i;
  uint64_t chunks;
  const uint64_t *first, *block_offset;
  uint64_t base, cols;
} grid_kron_block;

/* t (empty, with the block's dimensions and op's result type) (ia * rows + ib, ja * cols + jb) = op(a(ia,
 * ja), b(ib, jb)); rows, cols: the dimensions of b's matrix. a and b may have entries that give none in the
 * block. op is called for values of a's and b's types. On failure t stays empty. */
GrB_Info grid_cpu_lmat_kron(grid_local_matrix *t, const grid_local_matrix *a, const grid_local_matrix *b,
                            uint64_t rows, uint64_t cols, GrB_BinaryOp op, const grid_kron_block *k);
#endif
