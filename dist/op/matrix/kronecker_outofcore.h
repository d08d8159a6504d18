/* Kronecker products of matrices that do not fit memory. */
#ifndef GRID_KRONECKER_OUTOFCORE_H
#define GRID_KRONECKER_OUTOFCORE_H
#include "dist/matrix/matrix_output.h"
#include "spmat/cpu/index/lmat_kronecker.h"

typedef struct {
  GrB_Matrix C, mask;
  GrB_BinaryOp accum, op;
  GrB_Matrix A, B;
  const grid_desc *d;
  const char *call;
} grid_kronecker;

/* Some matrix is paged, and memory does not suffice for all (`needed`): computes the result by its rows, each
 * once. GRID_UNSUPPORTED: pages number the non-empty rows alone. The operands are checked. Collective, agreed
 * on. */
GrB_Info grid_kronecker_out_of_core(const grid_kronecker *x, bool *needed);
/* The rows and columns of C that this process's block holds, for the kernel of a Kronecker product. */
grid_kron_block grid_kronecker_block(GrB_Matrix C);
#endif
