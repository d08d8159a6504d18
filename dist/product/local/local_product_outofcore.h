/* The local product of a block whose rows are in pages. */
#ifndef GRID_LOCAL_PRODUCT_OUTOFCORE_H
#define GRID_LOCAL_PRODUCT_OUTOFCORE_H
#include "dist/outofcore/pages/row_pages.h"
#include "dist/product/dist_product.h"

/* Pages have rows only: a product by A is a pull along them, one by A's transpose a push. A symmetric matrix
 * allows both; then this sets p->transposed and both sides of the product by p->choice.pull, which was chosen
 * by cost. */
void grid_paged_direction(grid_product *p);
/* Is the result unchanged if a row is multiplied twice, in any order? Then residual rows (residual_rows.h)
 * may also be in pages that are read. */
bool grid_can_use_residual_rows(const grid_product *p);
/* *wanted: bitmap of the pages that hold entries of those of the process's first n rows that `rows`, a mask
 * on the host with bits, allows. The caller frees it. Local. */
GrB_Info grid_find_pages_of_rows(uint64_t **wanted, grid_product *p, const grid_kernel_mask *rows,
                                 uint64_t n);
/* Adds the product's contributions to y, whose arrays are allocated. Local. */
GrB_Info grid_run_pages(grid_product *p, const grid_input *in, const grid_kernel_mask *mask,
                        grid_index_map where, grid_output *y);
#endif
