/* The storage forms of a matrix, as rows of one table. The form is the same on every process. Host memory,
 * device memory and host residence with streaming are placements of the block's rows, not forms: functions of
 * a form handle them by `block.device` and `block.host_resident`. */
#ifndef GRID_MATRIX_STORAGE_H
#define GRID_MATRIX_STORAGE_H
#include "dist/matrix/matrix.h"

typedef struct {
  /* What a trace calls the form of this process's block. Local. */
  const char *(*name)(GrB_Matrix A);
  /* Bytes of the block. Local. */
  uint64_t (*bytes)(GrB_Matrix A);
  /* *v = the value of entry (i, j), which belongs to this process's block, or NULL. Local. */
  GrB_Info (*find)(GrB_Matrix A, GrB_Index i, GrB_Index j, const void **v);
  /* to, which is new and of the same dimensions, becomes a copy. Collective, agreed on. */
  GrB_Info (*copy)(GrB_Matrix to, GrB_Matrix from);
  /* GRID_MERGED: pending changes, of which there are some (or the form is out of core), go into the block.
   * Collective, agreed on. */
  GrB_Info (*merge)(GrB_Matrix A);
} grid_storage;
const grid_storage *grid_storage_of(GrB_Matrix A);
/* Are the block's entries in memory by rows, and nowhere else? Then grid_lmat_find_value() finds them, if
 * they are on the host. */
static inline bool grid_is_stored_by_rows(GrB_Matrix A) {
  return !A->pages && !A->bitmap.only && !A->delegates.split;
}
/* grid_lmat_find_value where an axis lists its vectors. */
const void *grid_lmat_find_hypersparse(const grid_local_matrix *p, uint64_t row, uint64_t col);
/* The value of entry (row, col), in local indices, of p on the host, or NULL. */
static inline const void *grid_lmat_find_value(const grid_local_matrix *p, uint64_t row, uint64_t col) {
  if (p->row.ids || p->col.ids) return grid_lmat_find_hypersparse(p, row, col);
  const uint64_t at = grid_lmat_find(p, row, col);
  return at == UINT64_MAX ? NULL : grid_lmat_value(p, at);
}
#endif
