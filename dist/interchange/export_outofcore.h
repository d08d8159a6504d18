/* export_outofcore.h: what GrB_Matrix_export and its kin do with a matrix on disk: the program's arrays are
 * filled page by page, on all processes (outofcore_entries.h). */
#ifndef GRID_EXPORT_OUTOFCORE_H
#define GRID_EXPORT_OUTOFCORE_H
#include "dist/matrix/transfer/matrix_gather.h"

/* Arrays of the program's; each may be NULL. */
typedef struct {
  GrB_Index *indptr, *indices;
  void *values;
  GrB_Index *n_indptr, *n_indices, *n_values;
  int format;
} grid_export_arrays;

/* Is A exported so? The same everywhere. */
bool grid_export_is_paged(GrB_Matrix A);
/* *n: how many entries this process's own rows have. Collective, agreed on. */
GrB_Info grid_export_count_local(uint64_t *n, GrB_Matrix A);
/* *n: how many entries columns first .. first + of have, and, where start is not NULL, which has of + 1
 * places, how many come before each. Collective, agreed on. */
GrB_Info grid_export_count(uint64_t *n, uint64_t *start, GrB_Matrix A, uint64_t first, uint64_t of);
/* The entries come to the arrays, which have room: all of A's, or those of the own rows (columns). start:
 * by column, as grid_export_count tells it; it is used up. Collective, agreed on. */
GrB_Info grid_export_pages(const grid_export_arrays *a, GrB_Matrix A, bool own, uint64_t *start);
#endif
