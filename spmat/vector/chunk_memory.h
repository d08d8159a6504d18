/* Life cycle, counts and host formats of a chunk: the part of chunk.h that moves nothing between memories.
 * The functions below are those of chunk.h without "host" in their names, for a chunk that lies on the host.
 */
#ifndef GRID_CHUNK_MEMORY_H
#define GRID_CHUNK_MEMORY_H
#include "spmat/vector/chunk.h"

GrB_Info grid_chunk_host_list(grid_chunk *c, uint64_t nvals, bool iso);
GrB_Info grid_chunk_host_dense(grid_chunk *c, bool iso);
GrB_Info grid_chunk_host_val(grid_chunk *c, uint64_t count);
GrB_Info grid_chunk_host_to_list(grid_chunk *c);
GrB_Info grid_chunk_host_to_bitmap(grid_chunk *c);
GrB_Info grid_chunk_host_choose_format(grid_chunk *c);

/* Should nvals entries be a list? */
static inline bool grid_chunk_is_short_list(const grid_chunk *c, uint64_t nvals) {
  return c->n > GRID_DENSE_LENGTH_MAX || nvals <= c->n / GRID_LIST_SHARE;
}
/* Have so many indices of a bitmap or full chunk an entry that all values are copied as fast as those? */
static inline bool grid_chunk_is_quarter_full(const grid_chunk *c) {
  return c->nvals >= c->n / 4;
}
#endif
