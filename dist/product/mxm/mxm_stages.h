/* A product of matrices on the host, in stages over the chunks of the inner dimension
 * (docs/how/product.md). */
#ifndef GRID_MXM_STAGES_H
#define GRID_MXM_STAGES_H
#include "dist/product/mxm/operands/mxm_operand.h"

/* *t (empty; freed by the caller, also after an error) = this process's block of the product of operands that
 * are ready, in the type of the monoid. Entries that the mask forbids are left out; it has these rows and
 * columns, or is NULL. replicated: a and b are all that this process needs of A and B, and *t has a's rows
 * and b's columns. by_dots: if b's columns are in memory, they are used for dot products. Collective; the
 * outcome of the last step is not agreed on. */
GrB_Info grid_mxm_operands_multiply(const grid_mxm_call *x, const grid_mxm_operand *a,
                                    const grid_mxm_operand *b, const grid_local_matrix *mask, bool replicated,
                                    bool by_dots, grid_local_matrix *t);
#endif
