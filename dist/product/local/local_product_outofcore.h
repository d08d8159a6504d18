/* The local product of a block whose rows are in pages. */
#ifndef GRID_LOCAL_PRODUCT_OUTOFCORE_H
#define GRID_LOCAL_PRODUCT_OUTOFCORE_H
#include "dist/outofcore/pages/row_pages.h"
#include "dist/product/dist_product.h"

/* Pages have rows only: M is pulled along them where it is A, and pushed where it is A's transpose. A
 * symmetric matrix is either; then p->transposed, gather and scatter follow from p->choice.pull, which has
 * been chosen by cost. */
void grid_paged_direction(grid_product *p);
/* The product: y, whose arrays are there, gets its contributions. Local. */
GrB_Info grid_run_pages(grid_product *p, const grid_input *in, const grid_kernel_mask *mask,
                        grid_index_map where, grid_output *y);
#endif
