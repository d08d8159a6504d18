/* Operands of a product of matrices on the host, as mxm_stages.h multiplies them. */
#ifndef GRID_MXM_OPERAND_H
#define GRID_MXM_OPERAND_H
#include "dist/product/mxm/mxm.h"
#include "spmat/convert/lmat_format.h"

/* Rows of a local matrix, or its columns as the rows of the transpose. */
typedef struct {
  const grid_local_matrix *lmat;
  bool columns;
  grid_local_matrix owned;     /* lmat, if it was computed for this product */
  bool borrowed;               /* owned's arrays are in shared memory */
  grid_expanded_lmat expanded; /* ... if it is a block whose axes are hypersparse */
} grid_mxm_operand;

/* *o = M or its transpose. On one process it is a view of the block; on several the transpose is computed.
 * Collective, agreed on. */
GrB_Info grid_mxm_operand_prepare(const grid_mxm_call *x, GrB_Matrix M, bool transposed, grid_mxm_operand *o);
/* o->owned = M once in shared memory, and o->borrowed, if that is possible on a grid of one column.
 * Collective, agreed on. */
GrB_Info grid_mxm_operand_share(grid_mxm_operand *o, GrB_Matrix M);
/* o->lmat = lmat without hypersparse axes. Local. */
GrB_Info grid_mxm_operand_expand(grid_mxm_operand *o, const grid_local_matrix *lmat);
void grid_mxm_operand_free(grid_mxm_operand *o);
#endif
