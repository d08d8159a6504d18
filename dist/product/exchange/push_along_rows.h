/* A push of a symmetric pattern along the rows that pulls read, so that a search needs
 * only one orientation of the block. */
#ifndef GRID_PUSH_ALONG_ROWS_H
#define GRID_PUSH_ALONG_ROWS_H
#include "dist/product/dist_product.h"

/* Is it possible? The pattern is symmetric and on the host, there are several processes, and any hit of an
 * output suffices, whose value is a position or the same for all. Local, the same on every process. */
bool grid_can_push_rows(const grid_product *p);
/* t (given empty) = the product for the outputs of this process's chunk that the mask allows. The outcome is
 * not agreed on. Collective. */
GrB_Info grid_push_rows(grid_product *p, grid_chunk *t);
/* On one grid column: writes the targets of x's vertices as segments with heads of `head` bytes
 * (dist/comm/comm_buffers.h). Local. */
GrB_Info grid_push_rows_write(grid_product *p, size_t head);
#endif
