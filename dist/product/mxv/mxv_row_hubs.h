/* mxv_row_hubs.h: a pull ring in which owners try the row hubs of their rows first. */
#ifndef GRID_MXV_ROW_HUBS_H
#define GRID_MXV_ROW_HUBS_H
#include "dist/product/mxv/mxv.h"

extern const grid_mxv_method grid_mxv_row_hubs;
#endif
