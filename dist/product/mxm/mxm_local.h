/* mxm_local.h: GrB_mxm on one process, row by row on the CPU. */
#ifndef GRID_MXM_LOCAL_H
#define GRID_MXM_LOCAL_H
#include "dist/plan/method.h"

extern const grid_method grid_mxm_method_local;
#endif
