/* mxm_bitmap.h: GrB_mxm on one process where only the pattern counts and A has few rows (the frontiers of
 * searches): an entry of B is read once for all rows of A, whose columns are words
 * (spmat/cpu/mxm/mxm_bitwords.h). */
#ifndef GRID_MXM_BITMAP_H
#define GRID_MXM_BITMAP_H
#include "dist/plan/method.h"

/* It pays where the products are more than B's entries divided by this. Tests raise it. */
extern uint64_t grid_mxm_bits_share;

extern const grid_method grid_mxm_method_bitmap;
#endif
