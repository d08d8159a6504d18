/* mxm_diagonal.h: GrB_mxm by a diagonal B on one process: A with its columns scaled. */
#ifndef GRID_MXM_DIAGONAL_H
#define GRID_MXM_DIAGONAL_H
#include "dist/plan/method.h"

extern const grid_method grid_mxm_method_diagonal;
#endif
