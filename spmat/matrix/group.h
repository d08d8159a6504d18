/* Grouping: the one sort that builds and transposes parts. A stream of (major, minor) pairs is put in order
 * of major, stably. */
#ifndef GRID_GROUP_H
#define GRID_GROUP_H
#include "semiring/semiring.h"

/* A stream is either an array of packed keys (major << 32 | minor), or the transpose of a compressed
 * orientation: for each vector v, taken in `order` (NULL: ascending), its entries as (idx[e], v). */
typedef struct {
  const uint64_t *keys;
  const uint32_t *ptr, *idx, *order;
  uint64_t nvec;
  uint64_t n; /* pairs, at most GRID_PART_MAX */
} grid_stream;

/* ptr[0 .. nmajor] and out[0 .. n): the minors of major m, in stream order, are out[ptr[m] .. ptr[m+1]). pos
 * (NULL or n): where each came from: its place in keys, or its entry number e in idx. scratch: room for n
 * keys, not the stream's own, or NULL (it is allocated then). */
GrB_Info grid_group(const grid_stream *s, uint64_t nmajor, uint32_t *ptr, uint32_t *out, uint32_t *pos,
                    uint64_t *scratch);

/* Sorts n keys ascending; tmp has room for n. */
void grid_sort_u64(uint64_t *keys, uint64_t *tmp, uint64_t n);

/* order[0..n) = 0..n-1 by descending degree, ties ascending. */
GrB_Info grid_order_by_degree(const uint32_t *degree, uint64_t n, uint32_t *order);
#endif
