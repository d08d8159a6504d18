/* Sums of the rows or columns of a matrix. */
#ifndef GRID_MATRIX_ROW_SUMS_H
#define GRID_MATRIX_ROW_SUMS_H
#include "dist/matrix/matrix.h"

typedef struct {
  const char *call;
  GrB_Vector w, mask;
  GrB_BinaryOp accum;
  GrB_Monoid monoid;
  GrB_Matrix A;
  const void *one; /* not NULL: every entry counts as this 1, of UINT64, the monoid's type */
  bool transposed; /* sums of columns */
} grid_row_sums;
/* w<mask> accum= the sums of A's rows, or by the descriptor its columns; w, A and the monoid live.
 * Collective. */
GrB_Info grid_sum_rows(grid_row_sums *r, GrB_Descriptor desc);
/* Is A summed by a product with ones? Known alike on all processes. */
bool grid_is_summed_by_product(GrB_Matrix A);
#endif
