/* index_set.h: the indices that an operation is given for one dimension: a list, or a range. */
#ifndef GRID_INDEX_SET_H
#define GRID_INDEX_SET_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* n indices: list[k], or without a list first + k. */
typedef struct {
  const uint64_t *list;
  uint64_t first, n;
} grid_index_set;

/* Rows and columns of a part, in any order. */
typedef struct {
  grid_index_set rows, cols;
} grid_region;

static inline uint64_t grid_index_at(const grid_index_set *s, uint64_t k) {
  return s->list ? s->list[k] : s->first + k;
}
/* The set of a list: a range where it counts up by ones. */
grid_index_set grid_index_set_of(const uint64_t *list, uint64_t n);
/* Is each index above the one before it? */
bool grid_index_set_is_sorted(const grid_index_set *s);
#endif
