/* mxv_block.h: push or pull of the block with x gathered first, and contributions folded. */
#ifndef GRID_MXV_BLOCK_H
#define GRID_MXV_BLOCK_H
#include "dist/product/mxv/mxv.h"

extern const grid_mxv_method grid_mxv_push, grid_mxv_pull;
#endif
