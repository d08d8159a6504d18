/* The local product of a block that does not fit device memory, with operands and result there. */
#ifndef GRID_STREAMED_PRODUCT_H
#define GRID_STREAMED_PRODUCT_H
#include "dist/product/dist_product.h"

/* As grid_run_lmat for a host-resident block (matrix_host_resident.h): the pages that the product needs are
 * sent to the device ahead of the one that is multiplied, or read in place. y is empty before. */
GrB_Info grid_run_device_pages(grid_product *p, const grid_input *in, const grid_kernel_mask *mask,
                               grid_index_map where, grid_output *y);
#endif
