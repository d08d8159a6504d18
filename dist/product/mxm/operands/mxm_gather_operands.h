/* Operands of a product of matrices on several devices, on any grid. */
#ifndef GRID_MXM_GATHER_OPERANDS_H
#define GRID_MXM_GATHER_OPERANDS_H
#include "dist/matrix/matrix.h"

typedef struct {
  /* in device memory: the rows of A and the columns of B with the indices of this process's block of C */
  grid_local_matrix a, b;
} grid_mxm_operands;
/* Replicates A and B (transposed: flip_a, flip_b) on every device, which extracts its rows and columns.
 * GRID_UNSUPPORTED, on all processes: memory is short, or a partition is uneven. Collective, agreed on. The
 * caller frees *o, also after an error. */
GrB_Info grid_mxm_operands_prepare(grid_mxm_operands *o, GrB_Matrix C, GrB_Matrix A, bool flip_a,
                                   GrB_Matrix B, bool flip_b);
void grid_mxm_operands_free(grid_mxm_operands *o);
#endif
