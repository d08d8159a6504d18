/* Sorts one row whose columns are out of order. */
#ifndef GRID_ROW_SORT_H
#define GRID_ROW_SORT_H
#include "spmat/matrix/local_matrix.h"

/* Bytes of workspace for rows of up to `longest` entries with values of `size` bytes. */
static inline size_t grid_row_sort_workspace(uint64_t longest, size_t size) {
  return longest * (2 * sizeof(uint64_t) + size);
}
/* Sorts the row's n columns, with values; of equal columns the first entry stays. val may be NULL if size is
 * 0. Returns how many remain. */
uint64_t grid_row_sort(uint32_t *idx, char *val, uint64_t n, size_t size, uint64_t longest, void *workspace);
#endif
