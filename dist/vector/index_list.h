/* index_list.h: values that travel along a list of indices I which every process has, as GrB_extract and
 * GrB_assign give it. No index travels: sender and receiver each know which positions of I concern them, and
 * in which order. */
#ifndef GRID_INDEX_LIST_H
#define GRID_INDEX_LIST_H
#include "dist/vector/vector.h"

/* Of I[0..ni), indices below dim, those in this process's chunk: their n local indices, in the order of I.
 * count (or NULL) [r]: how many of them stand at positions of I that are in chunk r of a dimension ni. *place
 * (place may be NULL; grid_free it): their positions. */
typedef struct {
  uint64_t n;
  uint64_t *idx; /* grid_free it */
} grid_local_indices;
GrB_Info grid_select_local_indices(grid_local_indices *own, uint64_t *count, uint64_t **position,
                                   const GrB_Index *I, uint64_t ni, uint64_t dim);

/* Positions k of I[0..n) ordered by the process that owns I[k] of a dimension dim, those of one process as
 * they are: order[p] = k, or place[k] = p; one of the two is NULL. count[r]: how many process r owns. */
GrB_Info grid_list_by_owner(uint64_t *order, uint64_t *position, uint64_t *count, const GrB_Index *I,
                            uint64_t n, uint64_t dim);

/* The entries of `from`, count[r] places of it for process r, one segment behind the other; `to` (empty, of
 * the same type) becomes what comes, in the order of the senders. `from` may change its format. info: the
 * outcome so far, which is agreed on first. Collective. */
GrB_Info grid_route_chunk(grid_chunk *to, grid_chunk *from, const uint64_t *count, GrB_Info info);
/* index_list_device.c: the same between device memories, which it goes to with the device on. */
GrB_Info grid_route_chunk_device(grid_chunk *to, grid_chunk *from, const uint64_t *count, GrB_Info info);
#endif
