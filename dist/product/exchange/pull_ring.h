/* pull_ring.h: a pull whose rows pass on until one of the processes that share them finds a hit. */
#ifndef GRID_PULL_RING_H
#define GRID_PULL_RING_H
#include "dist/product/dist_product.h"

/* Can a pull do so? Several processes share a row, an early hit suffices, on the host, and owners know which
 * of their rows hold entries. The same everywhere; local. */
bool grid_can_pass_rows(const grid_product *p);
/* The product of x over the block's inputs, and of the row hubs in x (bits, or NULL): y, given empty, gets
 * the own outputs. info: the outcome so far, which the exchanges carry along. Collective over the output set.
 */
GrB_Info grid_pass_rows(grid_product *p, GrB_Info info, const grid_input *in, const uint64_t *row_hubs,
                        grid_chunk *y);
#endif
