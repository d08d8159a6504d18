/* Common neighbors by bits of hubs, for operands that several processes have replicated. */
#ifndef GRID_MXM_HUB_BITS_STEP_H
#define GRID_MXM_HUB_BITS_STEP_H
#include "dist/product/mxm/operands/mxm_operand.h"

/* Where the product counts common neighbors, and bits pay for most entries of the mask: *done, and *t, empty,
 * is this process's block of it. a and b are rows on the host, b those of the block's columns. Collective;
 * *done is known alike on all, the outcome is not agreed on. */
GrB_Info grid_mxm_try_hub_bits(const grid_mxm_call *x, const grid_mxm_operand *a, const grid_mxm_operand *b,
                               grid_local_matrix *t, bool *done);
#endif
