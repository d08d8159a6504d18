/* mxm_bitmap.h: GrB_mxm where only the pattern counts and A has few rows, the frontiers of searches: all rows
 * at once, by words (spmat/cpu/mxm/mxm_bitwords.h). On one process. */
#ifndef GRID_MXM_BITMAP_H
#define GRID_MXM_BITMAP_H
#include "dist/matrix/storage/matrix_bitmap.h"

typedef struct {
  GrB_Matrix C, mask, A, B;
  GrB_BinaryOp accum;
  GrB_Semiring s;
  const grid_desc *d;
  const char *call;
} grid_mxm_bits_call;

/* Is this such a product? A's and B's rows are made for the answer where it may be yes. */
GrB_Info grid_can_multiply_bitmaps(const grid_mxm_bits_call *x, bool *yes);
/* C<mask> accum= A B. Agreed on. */
GrB_Info grid_multiply_bitmaps(const grid_mxm_bits_call *x);
#endif
