/* mxm_device.h: GrB_mxm on the device, or on several. */
#ifndef GRID_MXM_DEVICE_H
#define GRID_MXM_DEVICE_H
#include "dist/plan/method.h"

extern const grid_method grid_mxm_method_device;
#endif
