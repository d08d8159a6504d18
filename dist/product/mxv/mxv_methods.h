/* The methods of GrB_mxv and GrB_vxm, rows of the table in mxv_choose.c. Each stands in the
 * file of its name (push and pull: mxv_block.c; both on the device: mxv_device.c), whose head says what it
 * computes. */
#ifndef GRID_MXV_METHODS_H
#define GRID_MXV_METHODS_H
#include "dist/product/mxv/mxv.h"

extern const grid_mxv_method grid_mxv_push, grid_mxv_pull, grid_mxv_push_messages, grid_mxv_row_hubs,
    grid_mxv_pull_ring, grid_mxv_requests, grid_mxv_device_push, grid_mxv_device_pull;
#endif
