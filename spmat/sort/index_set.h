/* The indices that an operation gets for one dimension: a list, or a range. */
#ifndef GRID_INDEX_SET_H
#define GRID_INDEX_SET_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* n indices: list[k], or first + k if list is NULL. */
typedef struct {
  const uint64_t *list;
  uint64_t first, n;
} grid_index_set;

/* Rows and columns of a local matrix, in any order. */
typedef struct {
  grid_index_set rows, cols;
} grid_region;

static inline uint64_t grid_index_at(const grid_index_set *s, uint64_t k) {
  return s->list ? s->list[k] : s->first + k;
}
/* The set of a list; a list that counts up by one becomes a range. */
grid_index_set grid_index_set_of(const uint64_t *list, uint64_t n);
/* Does every index exceed the one before it? */
bool grid_index_set_is_sorted(const grid_index_set *s);
#endif
