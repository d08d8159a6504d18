/* Finds a column in an ascending row. */
#ifndef GRID_GALLOP_H
#define GRID_GALLOP_H
#include "spmat/matrix/local_matrix.h"

/* grid_first_entry by galloping: fast when the answer is near `from`. */
static inline uint64_t grid_gallop_columns(const uint32_t *idx, uint64_t from, uint64_t to, uint64_t c) {
  uint64_t step = 1;
  while (from + step < to && idx[from + step] < c) from += step, step *= 2;
  return grid_first_entry(idx, from, from + step < to ? from + step : to, c);
}
#endif
