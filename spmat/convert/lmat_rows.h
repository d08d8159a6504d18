/* Makes a local matrix from CSR arrays with ascending rows: those of a program, or of a serialized matrix. */
#ifndef GRID_LMAT_ROWS_H
#define GRID_LMAT_ROWS_H
#include <string.h>

#include "spmat/matrix/local_matrix.h"

/* Indices or offsets in an array, of 32 or of 64 bits, perhaps unaligned; the other pointer is NULL.
 * is_signed: their type is; they are read as unsigned numbers all the same. */
typedef struct {
  const void *x32, *x64;
  bool is_signed;
} grid_program_indices;

static inline uint32_t grid_index32_at(const void *x, uint64_t k) {
  uint32_t index;
  memcpy(&index, (const char *)x + k * sizeof index, sizeof index);
  return index;
}
static inline uint64_t grid_index64_at(const void *x, uint64_t k) {
  uint64_t index;
  memcpy(&index, (const char *)x + k * sizeof index, sizeof index);
  return index;
}
static inline uint64_t grid_program_index(grid_program_indices a, uint64_t k) {
  return a.x32 ? grid_index32_at(a.x32, k) : grid_index64_at(a.x64, k);
}
static inline bool grid_program_indices_exist(grid_program_indices a) {
  return a.x32 || a.x64;
}

/* Rows first .. first + n - 1 of the arrays are the rows from `at` on of a local matrix. */
typedef struct {
  uint64_t first, n, at;
} grid_row_range;

/* What a local matrix has of the arrays: ranges of rows, ascending, and the columns col .. end - 1 of `dim`,
 * of which `col` is its column 0. */
typedef struct {
  grid_row_range *range;
  int ranges;
  uint64_t col, end, dim;
} grid_csr_part;

/* The empty p, of dimensions below 2^32 or with lists of rows and columns, gets a part of the arrays; its
 * other rows are empty. Row v has the columns idx[ptr[v] .. ptr[v + 1]), and values of p's type (val[e]
 * beside idx[e]), or, if p is iso already, that value. The offsets are valid. *ascending false: the columns
 * of a row do not ascend below dim, and p stays empty. Of rows that several parts share each checks its own
 * columns; they ascend if all say so. */
GrB_Info grid_lmat_from_csr(grid_local_matrix *p, grid_program_indices ptr, const grid_csr_part *part,
                            grid_program_indices idx, const void *val, bool *ascending);
#endif
