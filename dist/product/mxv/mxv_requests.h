/* mxv_requests.h: a pull for which only the bits of delegates travel, and open rows ask the owners of their
 * neighbors. */
#ifndef GRID_MXV_REQUESTS_H
#define GRID_MXV_REQUESTS_H
#include "dist/product/mxv/mxv.h"

extern const grid_mxv_method grid_mxv_requests;
#endif
