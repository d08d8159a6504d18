/* What the files of Grid_Vector_gather and Grid_Vector_scatter share: vector_gather.c, and their form on
 * several processes where all is on the device, vector_gather_device.c. */
#ifndef GRID_VECTOR_GATHER_H
#define GRID_VECTOR_GATHER_H
#include "dist/vector/index_list.h"

/* t(k) = u(where(k)), and t(where(k)) = u(k), those of one place joined by dup; t is the local chunk, given
 * empty, of n places in all. *bad: on some process an index is no place, or, without a dup, one comes twice;
 * t holds nothing then. GRID_UNSUPPORTED: it must be done on the host. Collective, known alike on all. */
GrB_Info grid_gather_device(grid_chunk *t, GrB_Vector u, GrB_Vector where, bool *bad);
GrB_Info grid_scatter_device(grid_chunk *t, uint64_t n, GrB_Vector u, GrB_Vector where, GrB_BinaryOp dup,
                             bool *bad);
#endif
