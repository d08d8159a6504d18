/* Whole rows of A and of B for dot products, C<M> = A B', on a grid of several columns. A process gets those
 * of A that are its block's rows of C, and those of B that are its block's columns. Each has the entries of R
 * + C blocks, not of all R C. */
#ifndef GRID_MXM_WHOLE_ROWS_H
#define GRID_MXM_WHOLE_ROWS_H
#include "dist/product/mxm/operands/mxm_operand.h"

/* Can they be gathered: do they fit grid_tune.stage_bytes and 32-bit indices? The same on all processes. */
bool grid_mxm_can_gather_rows(const grid_mxm_call *x);
/* a->owned and b->owned become these rows, on the host, over all inner indices; neither is hypersparse.
 * Collective, agreed on. The caller frees both, also after an error. */
GrB_Info grid_mxm_gather_rows(const grid_mxm_call *x, grid_mxm_operand *a, grid_mxm_operand *b);
#endif
