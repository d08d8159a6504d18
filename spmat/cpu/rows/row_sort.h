/* row_sort.h: one row whose columns do not come in order. */
#ifndef GRID_ROW_SORT_H
#define GRID_ROW_SORT_H
#include "spmat/matrix/local_matrix.h"

/* Bytes of room for rows of up to `longest` entries with values of `size` bytes. */
static inline size_t grid_row_sort_workspace(uint64_t longest, size_t size) {
  return longest * (2 * sizeof(uint64_t) + size);
}
/* The row's n columns ascend, each once (of equal ones the first entry stays), afterwards; val may be NULL
 * where size is 0. Returns how many are left. */
uint64_t grid_row_sort(uint32_t *idx, char *val, uint64_t n, size_t size, uint64_t longest, void *workspace);
#endif
