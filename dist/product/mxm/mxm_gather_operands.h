/* mxm_gather_operands.h: operands of a product of matrices on several devices, whatever the grid. */
#ifndef GRID_MXM_GATHER_OPERANDS_H
#define GRID_MXM_GATHER_OPERANDS_H
#include "dist/matrix/matrix.h"

typedef struct {
  grid_local_matrix a,
      b; /* the rows of A, the columns of B that this process's block of C has, in device memory */
} grid_mxm_operands;
/* A and B, transposed where asked for, come to every device, which keeps what it wants of them.
 * GRID_UNSUPPORTED, on all: that cannot be. Collective, agreed on; to be freed, after an error too. */
GrB_Info grid_mxm_operands_prepare(grid_mxm_operands *o, GrB_Matrix C, GrB_Matrix A, bool flip_a,
                                   GrB_Matrix B, bool flip_b);
void grid_mxm_operands_free(grid_mxm_operands *o);
#endif
