/* The factors of a Kronecker product, where they are needed. */
#ifndef GRID_KRONECKER_OPERANDS_H
#define GRID_KRONECKER_OPERANDS_H
#include "dist/matrix/matrix.h"

/* An operand, perhaps transposed: its dimensions, and what this process needs of it. */
typedef struct {
  GrB_Matrix A;
  bool flip;
  uint64_t rows, cols;
  grid_local_matrix owned;
  const grid_local_matrix *lmat; /* A's block, or `owned` */
  bool borrowed;                 /* the arrays of `owned` are in memory that processes share */
} grid_kron_operand;

static inline grid_kron_operand grid_kron_operand_of(GrB_Matrix A, bool flip) {
  return (grid_kron_operand){
      .A = A, .flip = flip, .rows = flip ? A->ncols : A->nrows, .cols = flip ? A->nrows : A->ncols};
}

void grid_kron_operand_free(grid_kron_operand *x);

/* On one process: the block, or its transpose. */
GrB_Info grid_kron_gather_operand(grid_kron_operand *x);
/* On several: receives the entries of x that contribute to this process's block of C, as a matrix of x's
 * dimensions. If all entries of x have one value, it is not sent with each of them. left: x is the first
 * factor. Collective, agreed on, as is the next. */
GrB_Info grid_kron_fetch_factor(grid_kron_operand *x, GrB_Matrix C, const grid_kron_operand *other,
                                bool left);
/* On several, where the other factor has more than a few entries: every process receives all of x, by rows.
 * That costs less than grid_kron_fetch_factor unless x has more than GRID_KRON_MANY_REPEATS times as many
 * entries as the results that a process computes with it. is_last: the product follows without other
 * messages, so processes may share one copy. */
enum { GRID_KRON_MANY_REPEATS = 8 };
GrB_Info grid_kron_fetch_operand(grid_kron_operand *x, GrB_Matrix C, bool is_last, const char *call);
#endif
