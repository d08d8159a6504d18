/* Routes values along a list of indices I that every process has (GrB_extract, GrB_assign). Indices are
 * not sent: sender and receiver each derive from I which positions concern them, and in which order. */
#ifndef GRID_INDEX_LIST_H
#define GRID_INDEX_LIST_H
#include "dist/vector/vector.h"

/* Selects from I[0..ni), indices below dim, those in this process's chunk: n local indices in the order of
 * I. count[r] (count may be NULL): how many of them are at positions of I in chunk r of a dimension ni.
 * *position (position may be NULL; grid_free it): their positions in I. */
typedef struct {
  uint64_t n;
  uint64_t *idx; /* grid_free it */
} grid_local_indices;
GrB_Info grid_select_local_indices(grid_local_indices *local, uint64_t *count, uint64_t **position,
                                   const GrB_Index *I, uint64_t ni, uint64_t dim);

/* Orders the positions k of I[0..n) stably by the process that owns I[k] in a dimension dim: order[p] = k,
 * or position[k] = p; one of the two is NULL. count[r]: number owned by process r. */
GrB_Info grid_list_by_owner(uint64_t *order, uint64_t *position, uint64_t *count, const GrB_Index *I,
                            uint64_t n, uint64_t dim);

/* Sends the entries of `from`, whose first count[0] indices go to process 0, the next count[1] to process
 * 1, ... `to` (empty, of the same type) becomes the received segments in the order of the senders. `from`
 * may change its format. info: this process's outcome so far, agreed on first. Collective. */
GrB_Info grid_route_chunk(grid_chunk *to, grid_chunk *from, const uint64_t *count, GrB_Info info);
/* index_list_device.c: the same between device memories, used with the device on. */
GrB_Info grid_route_chunk_device(grid_chunk *to, grid_chunk *from, const uint64_t *count, GrB_Info info);
#endif
