/* gallop.h: looking a column up in an ascending row. */
#ifndef GRID_GALLOP_H
#define GRID_GALLOP_H
#include <stdint.h>

/* First of idx[from..to) that is not below c. */
static inline uint64_t grid_find_column(const uint32_t *idx, uint64_t from, uint64_t to, uint64_t c) {
  while (from < to) {
    const uint64_t mid = from + (to - from) / 2;
    if (idx[mid] < c)
      from = mid + 1;
    else
      to = mid;
  }
  return from;
}
/* The same, quick where it is near `from`. */
static inline uint64_t grid_gallop_columns(const uint32_t *idx, uint64_t from, uint64_t to, uint64_t c) {
  uint64_t step = 1;
  while (from + step < to && idx[from + step] < c) from += step, step *= 2;
  return grid_find_column(idx, from, from + step < to ? from + step : to, c);
}
#endif
