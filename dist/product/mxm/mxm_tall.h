/* mxm_tall.h: GrB_mxm where only the pattern counts and B has few columns, the frontiers of searches: 64
 * columns at once, by words (spmat/cpu/mxm/mxm_bitwords.h). B's rows are words, and lie where a vector's
 * entries would, so the words travel, and are pushed, as those of a product with a vector. */
#ifndef GRID_MXM_TALL_H
#define GRID_MXM_TALL_H
#include "dist/product/mxm/mxm_bitmap.h"

/* Is this such a product? Known alike on all processes. */
bool grid_is_tall_skinny(const grid_mxm_bits_call *x);
/* C<mask> accum= A B. Collective, agreed on. */
GrB_Info grid_multiply_tall_skinny(const grid_mxm_bits_call *x);

#endif
