/* Grouping: the one sort that builds and transposes parts. A stream of (major, minor) pairs is put in order
 * of major, stably. */
#ifndef GRID_GROUP_H
#define GRID_GROUP_H
#include "spmat/matrix/offsets.h"

/* A stream is either an array of packed keys (minor << 32 | major), or the transpose of a compressed
 * orientation: for each vector v its entries as (idx[e], v), major and minor. */
typedef struct {
  const uint64_t *keys;
  grid_offsets start;
  const uint32_t *idx;
  uint64_t nvec;
  uint64_t n; /* pairs */
} grid_stream;

/* start[0 .. nmajor] and out[0 .. n): the minors of major m, in stream order, are out[start[m] ..
 * start[m+1]). pos (of n, or none): where each came from: its place in keys, or its entry number e in idx.
 * scratch: room for n keys, not the stream's own, or NULL (it is allocated then). */
GrB_Info grid_group(const grid_stream *s, uint64_t nmajor, grid_offsets start, uint32_t *out,
                    grid_offsets pos, uint64_t *scratch);

/* Sorts n keys ascending; tmp has room for n. */
void grid_sort_u64(uint64_t *keys, uint64_t *tmp, uint64_t n);

/* order[0..n) = 0..n-1 by descending degree, ties ascending. */
GrB_Info grid_order_by_degree(const uint32_t *degree, uint64_t n, uint32_t *order);
#endif
