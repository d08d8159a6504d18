/* The methods of GrB_mxm, rows of the table in mxm.c, which says in which order they are
 * tried. Each stands in the file of its name, whose head says when it applies and what it computes. */
#ifndef GRID_MXM_METHODS_H
#define GRID_MXM_METHODS_H
#include "dist/plan/method.h"

extern const grid_method grid_mxm_method_outofcore, grid_mxm_method_device, grid_mxm_method_tall,
    grid_mxm_method_tall_grid, grid_mxm_method_bitmap, grid_mxm_method_diagonal, grid_mxm_method_hub_bits,
    grid_mxm_method_local, grid_mxm_method_replicated, grid_mxm_method_shared, grid_mxm_method_stages;
#endif
