/* mxm_tall.h: GrB_mxm where only the pattern counts and B has few columns (the frontiers of searches), on a
 * grid of one column. A row of B is a word of 64 columns (spmat/cpu/mxm/mxm_bitwords.h), so that B is a
 * vector of words, which is expanded, pulled or pushed as in GrB_mxv. */
#ifndef GRID_MXM_TALL_H
#define GRID_MXM_TALL_H
#include "dist/plan/method.h"

extern const grid_method grid_mxm_method_tall;

#endif
