/* The arrays of a program from which a matrix is imported, and their checks. */
#ifndef GRID_IMPORT_ARRAYS_H
#define GRID_IMPORT_ARRAYS_H
#include "dist/object/objects.h"
#include "spmat/convert/lmat_rows.h"

typedef struct {
  grid_program_indices indptr, indices;
  const void *values;
  GrB_Index n_indptr, n_indices, n_values;
  int format;
  uint64_t first, vectors; /* first row (column) of indptr, and their number */

  uint64_t n; /* entries; set by the check */
} grid_import_arrays;

/* *to = n indices of an integer type of 32 or 64 bits; `what` names them. Local. */
GrB_Info grid_program_indices_read(grid_program_indices *to, const void *x, GrB_Type type, const char *what,
                                   const char *call);
/* The errors of GrB_Matrix_import that concern the arrays; counts a->n. Of arrays that are the same on every
 * process each one reads a share of the indices. Local. */
GrB_Info grid_import_check(grid_import_arrays *a, uint64_t nrows, uint64_t ncols, bool is_replicated,
                           const char *call);
/* *part = this process's block of a matrix as a part of arrays that have all its rows. The caller frees
 * part->range. Local. */
GrB_Info grid_block_part(grid_csr_part *part, uint64_t nrows, uint64_t ncols);
#endif
