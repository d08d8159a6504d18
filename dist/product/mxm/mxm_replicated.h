/* mxm_replicated.h: GrB_mxm on a grid of one column, where each process gets the rows of B that it needs, or
 * all of them, and multiplies without stages. */
#ifndef GRID_MXM_REPLICATED_H
#define GRID_MXM_REPLICATED_H
#include "dist/plan/method.h"

extern const grid_method grid_mxm_method_replicated;
#endif
