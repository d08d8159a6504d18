/* A block that does not fit the device: it stays on the host, and products fetch what they need of it, page
 * by page (spmat/convert/lmat_pages.h, dist/product/local/streamed_product.c). Blocks whose axes are not
 * lists; on several processes those of all stay, or none does. */
#ifndef GRID_MATRIX_HOST_RESIDENT_H
#define GRID_MATRIX_HOST_RESIDENT_H
#include "dist/matrix/matrix.h"
#include "spmat/convert/lmat_pages.h"

/* *stays: A's block is one, which is decided here; it lies on the host then. A is complete, with degrees.
 * Local. */
GrB_Info grid_block_is_host_resident(GrB_Matrix A, bool *host_resident);
/* What was tried in vain: there is no room for it. It stays from now on, if it can; on several processes
 * limits alone decide. A is complete, and on the host. Local. */
void grid_block_make_host_resident(GrB_Matrix A);
/* Several processes: decides that for the blocks of all, while a limit of device memory is set. Collective,
 * agreed. */
GrB_Info grid_blocks_agree_host_resident(GrB_Matrix A);
/* May A's block lie on the device though it has 2^32 entries or more? Of one process, and kept once: products
 * and searches take it there, everything else the host. A has degrees. */
bool grid_offsets64_on_device(GrB_Matrix A);
/* *g = the pages of the block's rows, or of its columns, which are there; made when they are first wanted. */
GrB_Info grid_block_pages(grid_host_pages **g, GrB_Matrix A, bool rows);
/* A call has found no room: if that was the device's, all blocks leave it, and shall have less of it when
 * they come back. Is it worth another try? Collective, the same everywhere. */
bool grid_matrices_evict(uint64_t refusals);
/* They go, since A changes; and that it stays is decided anew. */
void grid_block_pages_free(GrB_Matrix A);
#endif
