/* Makes a local matrix from a program's CSR arrays with ascending rows. */
#ifndef GRID_LMAT_ROWS_H
#define GRID_LMAT_ROWS_H
#include "spmat/matrix/local_matrix.h"

/* Indices or offsets in an array of a program, of 32 or of 64 bits; the other pointer is NULL. is_signed:
 * their type is; they are read as unsigned numbers all the same. */
typedef struct {
  const uint32_t *x32;
  const uint64_t *x64;
  bool is_signed;
} grid_program_indices;

static inline uint64_t grid_program_index(grid_program_indices a, uint64_t k) {
  return a.x32 ? a.x32[k] : a.x64[k];
}
static inline bool grid_program_indices_exist(grid_program_indices a) {
  return a.x32 || a.x64;
}
/* Those from the k-th on. */
static inline grid_program_indices grid_program_indices_from(grid_program_indices a, uint64_t k) {
  return (grid_program_indices){a.x32 ? a.x32 + k : NULL, a.x64 ? a.x64 + k : NULL, a.is_signed};
}

/* The empty p, of dimensions below 2^32, gets rows 0 .. rows - 1; other rows are empty. Row v has the columns
 * idx[ptr[v] .. ptr[v + 1]), which are checked, and values of p's type (val[e] beside idx[e]), or, if p is
 * iso already, that value; ptr[0] may be any number. *ascending false: a row's indices do not ascend, and p
 * stays empty. */
GrB_Info grid_lmat_from_csr(grid_local_matrix *p, grid_program_indices ptr, uint64_t rows,
                            grid_program_indices idx, const void *val, bool *ascending);
#endif
