/* Layout (docs/how/process_grid.md; Bisson et al., section 2.2; Yoo et al.). A dimension n is split into P
 * chunks. Chunk k = j * R + i belongs to process (i, j). Block (i, j) of a matrix has the rows of chunks m
 * * R + i (m < C) and the columns of chunks j * R + i' (i' < R), concatenated. Chunks begin at multiples
 * of 64, so that their bitmaps concatenate by words. By default they are even: q indices each (the last
 * may be shorter or empty), found by division. An uneven partition (partition.h) applies to a length: all
 * objects of that dimension share it. */
#ifndef GRID_LAYOUT_H
#define GRID_LAYOUT_H
#include "dist/grid/partition.h"
#include "dist/grid/process_grid.h"
#include "semiring/support/tuning.h"

/* The size of even chunks, for code that does not support uneven partitions. At least 64, also of a dimension
 * of 0, whose chunks are all empty: so it divides, and no block has an axis of length 0. */
static inline uint64_t grid_even_size(uint64_t n) {
  uint64_t p = (uint64_t)grid_ctx.P, q = n / p + (n % p != 0);
  return q ? (q + 63) / 64 * 64 : 64;
}
static inline uint64_t grid_even_first(uint64_t n, int k) {
  uint64_t q = grid_even_size(n), f = q * (uint64_t)k;
  return f < n ? f : n;
}
/* First index and length of chunk k of dimension n; first index of chunk P: n. */
static inline uint64_t grid_chunk_first(uint64_t n, int k) {
  const grid_partition *c = grid_partition_of(n);
  return c ? c->first[k] : grid_even_first(n, k);
}
static inline uint64_t grid_chunk_length(uint64_t n, int k) {
  return grid_chunk_first(n, k + 1) - grid_chunk_first(n, k);
}
/* Indices that chunk k occupies in blocks and messages: its length rounded up to a multiple of 64, or q. */
static inline uint64_t grid_chunk_padded_size(uint64_t n, int k) {
  const grid_partition *c = grid_partition_of(n);
  return c ? (c->first[k + 1] - c->first[k] + 63) / 64 * 64 : grid_even_size(n);
}
static inline uint64_t grid_local_padded_size(uint64_t n) {
  return grid_chunk_padded_size(n, grid_ctx.k);
}
/* Do 32 bits number the indices of each chunk? The same on every process. */
static inline bool grid_chunks_fit32(uint64_t n) {
  if (grid_index_fits32(n)) return true;
  bool fits = true;
  for (int k = 0; k < (grid_partition_of(n) ? grid_ctx.P : 1); k++)
    fits = fits && grid_index_fits32(grid_chunk_length(n, k));
  return fits;
}
/* Chunk of index v. */
static inline int grid_chunk_of(uint64_t n, uint64_t v) {
  const grid_partition *c = grid_partition_of(n);
  return c ? grid_partition_chunk(c, v) : (int)(v / grid_even_size(n));
}
/* The process that owns index v of a vector of size n; *offset: the index within its chunk. */
static inline int grid_owner(uint64_t n, uint64_t v, uint64_t *offset) {
  if (grid_ctx.P == 1) {
    *offset = v;
    return 0;
  }
  const grid_partition *c = grid_partition_of(n);
  const uint64_t q = c ? 0 : grid_even_size(n);
  const int k =
      c ? grid_partition_chunk(c, v) : (int)(v / q); /* NOLINT(clang-analyzer-core.DivideZero): n > 0 */
  *offset = v - (c ? c->first[k] : q * (uint64_t)k);
  return k;
}
/* A symmetric matrix is its own transpose. Products and searches read the one whose rows are shared by fewer
 * processes; is that the transpose? */
static inline bool grid_symmetric_reads_columns(void) {
  return grid_ctx.R < grid_ctx.C;
}
/* Local index of chunk k's first row (column) in the blocks that hold it. */
static inline uint64_t grid_chunk_offset(uint64_t n, bool rows, int k) {
  const grid_partition *c = grid_partition_of(n);
  if (c) return (rows ? c->row : c->col)[k];
  return (uint64_t)(rows ? k / grid_ctx.R : k % grid_ctx.R) * grid_even_size(n);
}
/* The process (as k) whose block holds entry (r, c) of an nrows x ncols matrix. */
static inline int grid_block_of(uint64_t nrows, uint64_t ncols, uint64_t r, uint64_t c) {
  if (grid_ctx.P == 1) return 0;
  int i = grid_chunk_of(nrows, r) % grid_ctx.R, j = grid_chunk_of(ncols, c) / grid_ctx.R;
  return j * grid_ctx.R + i;
}
/* Local index in the block of a global row or column that it holds, and the inverse. */
static inline uint64_t grid_local(uint64_t n, bool rows, uint64_t v) {
  uint64_t offset;
  if (grid_ctx.P == 1) return v;
  const int k = grid_owner(n, v, &offset);
  return grid_chunk_offset(n, rows, k) + offset;
}
static inline uint64_t grid_local_row(uint64_t nrows, uint64_t r) {
  return grid_local(nrows, true, r);
}
static inline uint64_t grid_local_col(uint64_t ncols, uint64_t c) {
  return grid_local(ncols, false, c);
}
/* The s-th of the chunks that this process's block has of a dimension, and its local offset; s = their
 * number: the end. */
static inline int grid_block_chunks(bool rows) {
  return rows ? grid_ctx.C : grid_ctx.R;
}
static inline int grid_block_chunk(bool rows, int s) {
  return rows ? s * grid_ctx.R + grid_ctx.i : grid_ctx.j * grid_ctx.R + s;
}
static inline uint64_t grid_block_offset(uint64_t n, bool rows, int s) {
  if (!grid_partition_of(n)) return (uint64_t)s * grid_even_size(n);
  if (s == 0) return 0;
  const int k = grid_block_chunk(rows, s - 1);
  return grid_chunk_offset(n, rows, k) + grid_chunk_padded_size(n, k);
}
/* The same for the processes of a grid row (they share the rows of blocks) or column, by rank s. */
static inline uint64_t grid_member_offset(grid_set set, uint64_t n, int s) {
  return grid_block_offset(n, set == GRID_SET_ROW, s);
}
static inline uint64_t grid_global_row(uint64_t nrows, uint64_t l) {
  int s = 0;
  if (!grid_partition_of(nrows)) s = (int)(l / grid_even_size(nrows));
  while (s + 1 < grid_ctx.C && grid_block_offset(nrows, true, s + 1) <= l) s++;
  return grid_chunk_first(nrows, grid_block_chunk(true, s)) + l - grid_block_offset(nrows, true, s);
}
static inline uint64_t grid_global_col(uint64_t ncols, uint64_t l) {
  return grid_chunk_first(ncols, grid_ctx.j * grid_ctx.R) + l;
}
/* Number of a dimension's rows (columns) in this process's block. */
static inline uint64_t grid_block_length(uint64_t dim, bool rows) {
  uint64_t n = 0;
  for (int s = 0; s < grid_block_chunks(rows); s++) n += grid_chunk_length(dim, grid_block_chunk(rows, s));
  return n;
}
/* Padded rows and columns of the largest block (a dimension is at most 2^60, so this fits): choices that
 * depend on them are the same on all processes. */
static inline uint64_t grid_block_rows(uint64_t nrows) {
  const grid_partition *c = grid_partition_of(nrows);
  return c ? c->rows : grid_even_size(nrows) * (uint64_t)grid_ctx.C;
}
static inline uint64_t grid_block_cols(uint64_t ncols) {
  const grid_partition *c = grid_partition_of(ncols);
  return c ? c->cols : grid_even_size(ncols) * (uint64_t)grid_ctx.R;
}

/* Indices of a vector over the chunks that a grid row or column shares: those of the largest block. */
static inline uint64_t grid_member_length(grid_set set, uint64_t n) {
  return set == GRID_SET_ROW ? grid_block_rows(n) : grid_block_cols(n);
}

/* Gathers over a set the chunks of a dimension n, `bits` bits per padded index, in the order of the block:
 * set = GRID_SET_ROW: rows, GRID_SET_COL: columns, GRID_SET_ALL: the whole dimension. Collective over the
 * set. (collectives.c) */
GrB_Info grid_gather_chunks(grid_set set, uint64_t n, const void *local, size_t bits, void *all);
/* The inverse. Each process of a grid row or column has elements of `size` bytes for all rows or columns of
 * its block, and sends every other one those of its chunk. *local, of so many padded chunks as the set has
 * processes, gets them in order of the senders. Collective over the set. */
GrB_Info grid_exchange_chunks(grid_set set, uint64_t n, const void *all, size_t size, void *local);
#endif
