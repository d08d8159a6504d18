/* The block of a Kronecker product of two local matrices, which lie on the host, by row. */
#ifndef GRID_LMAT_KRONECKER_H
#define GRID_LMAT_KRONECKER_H
#include "semiring/semiring.h"
#include "spmat/matrix/local_matrix.h"

/* The block: the rows of all chunks whose number is i modulo R, numbered consecutively, and `cols` columns
 * from `base` on. Chunks have q rows. If first is not NULL, chunk k of `chunks` begins at row first[k], and
 * in its block at block_offset[k]. */
typedef struct {
  uint64_t q, R, i;
  uint64_t chunks;
  const uint64_t *first, *block_offset;
  uint64_t base, cols;
} grid_kron_block;

/* t (empty, with the block's dimensions and op's result type) = the block of t(ia * rows + ib, ja * cols +
 * jb) = op(a(ia, ja), b(ib, jb)). rows and cols are the dimensions of b's whole matrix. Entries of a and b
 * may contribute nothing to the block. op runs on a's and b's values cast to its types. On failure t stays
 * empty. */
GrB_Info grid_cpu_lmat_kron(grid_local_matrix *t, const grid_local_matrix *a, const grid_local_matrix *b,
                            uint64_t rows, uint64_t cols, GrB_BinaryOp op, const grid_kron_block *k);
#endif
