/* Layout (docs/design.md, "Layout"; Bisson et al., section 2.2; Yoo et al.). A dimension n is cut into P
 * chunks of q indices (the last ones may be short or empty). Chunk k = j * R + i belongs to process (i, j).
 * Block (i, j) of a matrix has the rows of chunks m * R + i (m < C) and the columns of chunks j * R + i' (i'
 * < R). q is a multiple of 64, so that bitmaps of chunks concatenate by words. */
#ifndef GRID_LAYOUT_H
#define GRID_LAYOUT_H
#include "dist/grid/grid.h"

static inline uint64_t grid_chunk_size(uint64_t n) {
  uint64_t p = (uint64_t)grid_here.P, q = n / p + (n % p != 0);
  return (q + 63) / 64 * 64;
}
/* First index and length of chunk k of a dimension n. */
static inline uint64_t grid_chunk_first(uint64_t n, int k) {
  uint64_t q = grid_chunk_size(n), f = q * (uint64_t)k;
  return f < n ? f : n;
}
static inline uint64_t grid_chunk_length(uint64_t n, int k) {
  return grid_chunk_first(n, k + 1) - grid_chunk_first(n, k);
}
/* Chunk of index v. */
static inline int grid_chunk_of(uint64_t n, uint64_t v) {
  return (int)(v / grid_chunk_size(n));
}
/* Process (as k) whose block holds entry (r, c) of an nrows x ncols matrix. */
static inline int grid_block_of(uint64_t nrows, uint64_t ncols, uint64_t r, uint64_t c) {
  if (grid_here.P == 1) return 0;
  int i = grid_chunk_of(nrows, r) % grid_here.R, j = grid_chunk_of(ncols, c) / grid_here.R;
  return j * grid_here.R + i;
}
/* Local index inside the block of a global row / column that it holds, and back. */
static inline uint64_t grid_local_row(uint64_t nrows, uint64_t r) {
  if (grid_here.P == 1) return r;
  uint64_t q = grid_chunk_size(nrows);
  return (r / q / (uint64_t)grid_here.R) * q + r % q;
}
static inline uint64_t grid_local_col(uint64_t ncols, uint64_t c) {
  if (grid_here.P == 1) return c;
  uint64_t q = grid_chunk_size(ncols);
  return (c / q % (uint64_t)grid_here.R) * q + c % q;
}
static inline uint64_t grid_global_row(uint64_t nrows, uint64_t l) {
  uint64_t q = grid_chunk_size(nrows);
  return (l / q * (uint64_t)grid_here.R + (uint64_t)grid_here.i) * q + l % q;
}
static inline uint64_t grid_global_col(uint64_t ncols, uint64_t l) {
  return (uint64_t)grid_here.j * (uint64_t)grid_here.R * grid_chunk_size(ncols) + l;
}
/* How many of a dimension's rows (columns) this process's block has: the local indices below that. */
static inline uint64_t grid_block_length(uint64_t dim, bool rows) {
  const int chunks = rows ? grid_here.C : grid_here.R, step = rows ? grid_here.R : 1,
            first = rows ? grid_here.i : grid_here.j * grid_here.R;
  uint64_t n = 0;
  for (int m = 0; m < chunks; m++) n += grid_chunk_length(dim, first + m * step);
  return n;
}
/* Rows and columns of this process's block, whole chunks (a dimension is at most 2^60, so this fits). */
static inline uint64_t grid_block_rows(uint64_t nrows) {
  return grid_chunk_size(nrows) * (uint64_t)grid_here.C;
}
static inline uint64_t grid_block_cols(uint64_t ncols) {
  return grid_chunk_size(ncols) * (uint64_t)grid_here.R;
}
#endif
