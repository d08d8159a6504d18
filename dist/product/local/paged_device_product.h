/* The local product of a block whose rows are in pages on disk, with operands and result in device memory. */
#ifndef GRID_PAGED_DEVICE_PRODUCT_H
#define GRID_PAGED_DEVICE_PRODUCT_H
#include "dist/product/dist_product.h"

/* As grid_run_pages (local_product_outofcore.h), but the device multiplies. While it does, later pages are
 * read, decoded and sent. y is empty before. Local. */
GrB_Info grid_run_paged_device(grid_product *p, const grid_input *in, const grid_kernel_mask *mask,
                               grid_index_map where, grid_output *y);
#endif
