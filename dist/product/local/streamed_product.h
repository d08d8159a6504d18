/* The local product of a block that does not fit the device, where operands and result are. */
#ifndef GRID_STREAMED_PRODUCT_H
#define GRID_STREAMED_PRODUCT_H
#include "dist/product/dist_product.h"

/* As grid_run_lmat, of a block that stays on the host (matrix_host_resident.h): those of its pages that are
 * needed are sent, two ahead of the one that is multiplied. y is empty before. */
GrB_Info grid_run_device_pages(grid_product *p, const grid_input *in, const grid_kernel_mask *mask,
                               grid_index_map where, grid_output *y);
#endif
