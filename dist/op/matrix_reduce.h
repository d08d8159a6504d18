/* What row sums of a matrix are made with. */
#ifndef GRID_MATRIX_REDUCE_H
#define GRID_MATRIX_REDUCE_H
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
#endif
