/* kronecker_sliced.h: Kronecker products of matrices that do not fit memory. */
#ifndef GRID_KRONECKER_OUT_OF_CORE_H
#define GRID_KRONECKER_OUT_OF_CORE_H
#include "dist/object/matrix/matrix_output.h"
#include "spmat/cpu/place/part_kron.h"

typedef struct {
  GrB_Matrix C, mask;
  GrB_BinaryOp accum, op;
  GrB_Matrix A, B;
  const grid_desc *d;
  const char *call;
} grid_kronecker;

/* *done: some matrix is paged, and there was no room for all: it has been computed. The operands are checked.
 * Collective, agreed on. */
GrB_Info grid_kronecker_out_of_core(const grid_kronecker *x, bool *done);
/* kronecker.c: where this process's block of C is. */
grid_kron_block grid_kronecker_block(GrB_Matrix C);
#endif
