/* mxv_pull_ring.h: a pull whose rows pass from process to process until one finds a hit. */
#ifndef GRID_MXV_PULL_RING_H
#define GRID_MXV_PULL_RING_H
#include "dist/product/mxv/mxv.h"

extern const grid_mxv_method grid_mxv_pull_ring;
#endif
