/* The rows of a matrix as arrays (Grid_View), for reading on the CPU and in CUDA kernels. */
#ifndef GRID_ROW_ARRAYS_H
#define GRID_ROW_ARRAYS_H
#include "spmat/vector/bits.h"

/* Rows first .. first + count - 1: unsigned integers of so many bytes, 4 or 8. */
typedef struct {
  const void *indptr, *indices;
  int indptr_bytes, indices_bytes;
  uint64_t first, count;
} grid_row_arrays;

GRID_HOST_DEVICE_INLINE uint64_t grid_array_element(const void *array, int bytes, uint64_t k) {
  return bytes == 4 ? ((const uint32_t *)array)[k] : ((const uint64_t *)array)[k];
}
/* The first entry of a row; its last one is before the next row's first. */
GRID_HOST_DEVICE_INLINE uint64_t grid_row_start(const grid_row_arrays *r, uint64_t row) {
  return grid_array_element(r->indptr, r->indptr_bytes, row - r->first);
}
GRID_HOST_DEVICE_INLINE uint64_t grid_entry_column(const grid_row_arrays *r, uint64_t entry) {
  return grid_array_element(r->indices, r->indices_bytes, entry);
}
/* The entry in this column among start .. end, whose columns ascend, or end where there is none. */
GRID_HOST_DEVICE_INLINE uint64_t grid_find_column(const grid_row_arrays *r, uint64_t start, uint64_t end,
                                                  uint64_t col) {
  const uint64_t none = end;
  while (start < end) {
    const uint64_t middle = start + (end - start) / 2, at = grid_entry_column(r, middle);
    if (at == col) return middle;
    if (at < col)
      start = middle + 1;
    else
      end = middle;
  }
  return none;
}
#endif
