/* Uneven partitions (docs/how/process_grid.md): one table per length, shared by all objects of
 * that dimension. Read by dist/grid/layout.h, changed by dist/matrix/transfer/repartition.h only. */
#ifndef GRID_PARTITION_H
#define GRID_PARTITION_H
#include "semiring/semiring.h"
#include "spmat/vector/segments.h"
#include "semiring/threads/context_section.h"

typedef struct grid_partition {
  uint64_t n;
  struct grid_partition *next; /* hash chain */
  uint64_t chunks;             /* P */
  const uint64_t *row, *col;   /* local index of chunk k's first row, column, in the blocks that hold it */
  uint64_t rows, cols;         /* of the largest block */
  uint64_t first[];            /* P + 1 boundaries: chunk k is first[k] .. first[k + 1]; then row and col */
} grid_partition;

/* Whether any length has an uneven partition. */
extern bool grid_default_has_partitions GRID_DECLARED_OF_CONTEXT;
#define grid_has_partitions GRID_IN_CONTEXT(grid_default_has_partitions)
const grid_partition *grid_partition_find(uint64_t n);
/* NULL: n is partitioned evenly, as 0 always is. */
static inline const grid_partition *grid_partition_of(uint64_t n) {
  return grid_has_partitions ? grid_partition_find(n) : NULL;
}
static inline int grid_partition_chunk(const grid_partition *c, uint64_t v) {
  return (int)grid_segment_of(c->first, 1, c->chunks, v);
}

/* Makes a table from P + 1 boundaries that ascend from 0 to n, all but n multiples of 64. NULL: out of
 * memory. The caller frees it. */
grid_partition *grid_partition_make(uint64_t n, const uint64_t *first);
void grid_partition_free(grid_partition *c);
/* Installs c, and takes ownership of it, as the partition of length n (NULL: even); returns the previous
 * one, which the caller frees. Existing objects must be redistributed by the caller. */
grid_partition *grid_partition_swap(uint64_t n, grid_partition *c);
/* Before the first object: sets aside the memory of random partitions, if grid_tune.uneven_partition asks for
 * them. Collective, agreed on. */
GrB_Info grid_partition_init(void);
void grid_partition_finalize(void);
#endif
