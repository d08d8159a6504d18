/* A block that does not fit the device is host-resident: products stream what they need of it to the device,
 * page by page (spmat/convert/lmat_pages.h, dist/product/local/streamed_product.c). Its axes are not lists.
 * On several processes the blocks of all are host-resident, or none is. */
#ifndef GRID_MATRIX_HOST_RESIDENT_H
#define GRID_MATRIX_HOST_RESIDENT_H
#include "dist/matrix/matrix.h"
#include "spmat/convert/lmat_pages.h"

/* *host_resident: A's block is host-resident, which is decided here for one process; it then lies on the
 * host. A has rows and degrees. Local. */
GrB_Info grid_block_is_host_resident(GrB_Matrix A, bool *host_resident);
/* The device had no room for the block: it becomes host-resident if it can. On several processes limits alone
 * decide. A has rows and lies on the host. Local. */
void grid_block_make_host_resident(GrB_Matrix A);
/* The same decision for the blocks of several processes, while a limit of device memory is set. Collective,
 * agreed on. */
GrB_Info grid_blocks_agree_host_resident(GrB_Matrix A);
/* May A's block lie on the device although it has 2^32 entries or more? Only with one process and one
 * compressed form for rows and columns: products and searches run on the device, everything else on the host.
 * A has degrees. */
bool grid_offsets64_on_device(GrB_Matrix A);
/* *g = pages of the block's rows or columns, which exist; made at the first call. Local. */
GrB_Info grid_block_pages(grid_host_pages **g, GrB_Matrix A, bool rows);
/* After an operation ran out of memory: if that was the device's, all blocks leave it and get a smaller share
 * of it later. Returns whether another try makes sense, the same everywhere. Collective. */
bool grid_matrices_evict(uint64_t refusals);
/* Frees the pages, since A changes; host residence is decided anew. Local. */
void grid_block_pages_free(GrB_Matrix A);
#endif
