/* A pull whose rows are passed along the processes that share them, until one finds a hit. */
#ifndef GRID_PULL_RING_H
#define GRID_PULL_RING_H
#include "dist/product/dist_product.h"

/* Is it possible? Several processes share each row, the monoid stops at a hit, the product is on the host,
 * and the bitmaps of nonempty rows exist. Local, the same on every process. */
bool grid_can_pass_rows(const grid_product *p);
/* y (given empty) = the product for the outputs of this process's chunk. in: x over the block's inputs;
 * row_hubs: bits of the row hubs in x, or NULL. info: the outcome so far, which is sent with the exchanges.
 * Collective over the output set. */
GrB_Info grid_pass_rows(grid_product *p, GrB_Info info, const grid_input *in, const uint64_t *row_hubs,
                        grid_chunk *y);
#endif
