/* GrB_Matrix_export and relatives for an out-of-core matrix: the caller's arrays are filled page by page,
 * on all processes (outofcore_entries.h). */
#ifndef GRID_EXPORT_OUTOFCORE_H
#define GRID_EXPORT_OUTOFCORE_H
#include "dist/matrix/transfer/matrix_gather.h"

/* The caller's arrays; each may be NULL. */
typedef struct {
  GrB_Index *indptr, *indices;
  void *values;
  GrB_Index *n_indptr, *n_indices, *n_values;
  int format;
} grid_export_arrays;

/* *n: number of entries in the rows of this process's chunk. Collective, agreed on. */
GrB_Info grid_export_count_local(uint64_t *n, GrB_Matrix A);
/* *n: number of entries in columns first .. first + of; start, if not NULL, has of + 1 elements and gets
 * the exclusive prefix sums. Collective, agreed on. */
GrB_Info grid_export_count(uint64_t *n, uint64_t *start, GrB_Matrix A, uint64_t first, uint64_t of);
/* Writes the entries to the arrays, which have the capacity: all of A's, or with `local_only` those of this
 * process's rows (columns). start, by column, from grid_export_count; it is modified. Collective, agreed
 * on. */
GrB_Info grid_export_pages(const grid_export_arrays *a, GrB_Matrix A, bool local_only, uint64_t *start);
#endif
