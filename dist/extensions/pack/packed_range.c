/* See packed_arrays.h: the rows or columns of a matrix whose arrays a process has. */
#include "dist/grid/layout.h"
#include "dist/extensions/pack/packed_arrays.h"

grid_packed_range grid_packed_range_of(uint64_t nrows, uint64_t ncols, bool by_column) {
  const uint64_t n = by_column ? ncols : nrows, count = grid_chunk_length(n, grid_ctx.k);
  return (grid_packed_range){.first = count ? grid_chunk_first(n, grid_ctx.k) : 0,
                             .count = count,
                             .length = by_column ? nrows : ncols};
}

bool grid_packed_positions(const grid_packed_range *r, size_t size, uint64_t *n) {
  uint64_t bytes;
  return !__builtin_mul_overflow(r->count, r->length, n) && !__builtin_mul_overflow(*n, size, &bytes) &&
         bytes <= INT64_MAX;
}
