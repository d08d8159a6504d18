/* push_along_rows.h: a push of a symmetric pattern along the rows that its pulls read, so that a search needs
 * one orientation. */
#ifndef GRID_PUSH_ALONG_ROWS_H
#define GRID_PUSH_ALONG_ROWS_H
#include "dist/product/dist_product.h"

/* Can a push do so? A symmetric pattern on the host, several processes, and any hit suffices, which is a
 * position or one value. The same everywhere; local. */
bool grid_can_push_rows(const grid_product *p);
/* The product: t, given empty, gets the own outputs that the mask allows. An outcome that only this process
 * knows is carried along to the next agreement. Collective. */
GrB_Info grid_push_rows(grid_product *p, grid_chunk *t);
/* On one grid column: writes the targets of x's vertices as segments with heads of so many bytes
 * (dist/comm/comm_buffers.h). Local. */
GrB_Info grid_push_rows_write(grid_product *p, size_t head);
#endif
