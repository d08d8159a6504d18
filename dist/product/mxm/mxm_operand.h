/* mxm_operand.h: operands of a product of matrices on the host, as its stages read them (mxm_stages.h). */
#ifndef GRID_MXM_OPERAND_H
#define GRID_MXM_OPERAND_H
#include "dist/product/mxm/mxm.h"
#include "spmat/convert/lmat_format.h"

/* Rows of a local matrix, or its columns as the rows of the transpose. */
typedef struct {
  const grid_local_matrix *lmat;
  bool columns;
  grid_local_matrix own;       /* lmat, if it was computed for this product */
  grid_expanded_lmat expanded; /* ... if it is a block whose axes are hypersparse */
} grid_mxm_operand;

/* M or its transpose: of the block on one process, else of a matrix that is transposed now. Collective,
 * agreed on. */
GrB_Info grid_mxm_operand_prepare(const grid_mxm_call *x, GrB_Matrix M, bool transposed, grid_mxm_operand *o);
/* o->lmat without hypersparse axes. */
GrB_Info grid_mxm_operand_expand(grid_mxm_operand *o, const grid_local_matrix *lmat);
void grid_mxm_operand_free(grid_mxm_operand *o);

/* *t = the product of operands that are ready. replicated: b is all of B that this process needs; by_dots:
 * the columns of B are read where they are there, so that dot products are possible. Collective; the outcome
 * is not agreed on. */
GrB_Info grid_mxm_operands_multiply(const grid_mxm_call *x, const grid_mxm_operand *a,
                                    const grid_mxm_operand *b, bool replicated, bool by_dots,
                                    grid_local_matrix *t);
#endif
