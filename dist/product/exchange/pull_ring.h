/* A pull whose rows are passed on until one of the processes that share them has a hit; see pull_ring.c. */
#ifndef GRID_PULL_RING_H
#define GRID_PULL_RING_H
#include "dist/product/dist_product.h"

/* Would a pull go so? Several processes share a row, of which an early hit will do, on the host, and owners
 * know which of their rows hold entries. The same everywhere; local. */
bool grid_can_pass_rows(const grid_product *p);
/* The product, with x as the block sees it, and the bits of leads in it, if p tries them: y, given empty,
 * gets the own outputs. info: the outcome so far, which the exchanges carry along. Collective over the
 * scatter set.
 */
GrB_Info grid_pass_rows(grid_product *p, GrB_Info info, const grid_input *in, const uint64_t *row_hubs,
                        grid_chunk *y);
#endif
