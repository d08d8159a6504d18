/* mxv_device.h: products whose operands, messages and result are all in device memory. */
#ifndef GRID_MXV_DEVICE_H
#define GRID_MXV_DEVICE_H
#include "dist/product/mxv/mxv.h"

extern const grid_mxv_method grid_mxv_device_push, grid_mxv_device_pull;
#endif
