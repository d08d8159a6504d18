/* A push of a symmetric pattern along the vectors that its pulls go along, so that a search wants one
 * orientation; see push_along_rows.c. */
#ifndef GRID_PUSH_ALONG_ROWS_H
#define GRID_PUSH_ALONG_ROWS_H
#include "dist/product/dist_product.h"

/* Would a push go so? Of a symmetric pattern on the host, on several processes, any hit will do, and is a
 * place or one value. The same everywhere; local. */
bool grid_can_push_rows(const grid_product *p);
/* The product: t, given empty, gets the own outputs that the mask allows. An outcome that this process alone
 * knows is carried along to the next agreement. Collective. */
GrB_Info grid_push_rows(grid_product *p, grid_chunk *t);
/* On one grid column, what p's vertices would tell in it, as segments with heads of so many bytes
 * (dist/comm/comm_buffers.h). Local. */
GrB_Info grid_push_rows_write(grid_product *p, size_t head);
#endif
