/* Visits the entries of an out-of-core matrix page by page, without loading it whole. */
#ifndef GRID_OUTOFCORE_ENTRIES_H
#define GRID_OUTOFCORE_ENTRIES_H
#include "dist/matrix/matrix.h"

/* A batch of entries by rows, ascending; indices are global. */
typedef struct {
  uint64_t n;
  const uint64_t *row, *col;
  const char *val; /* of the matrix's type, or NULL if values were not requested */
} grid_paged_batch;
typedef void grid_paged_visit(void *context, const grid_paged_batch *e);

/* Visits all entries of A, which is paged, on every process; local_only: only those of the rows of this
 * process's chunk. Collective, agreed on; after an error some entries have been visited. */
GrB_Info grid_paged_entries(GrB_Matrix A, bool local_only, bool values, grid_paged_visit *visit,
                            void *context);
/* *list, empty, gets the rows (columns) with entries of the whole matrix A, which is paged and hypersparse;
 * to be freed also after an error. Collective, agreed on. */
GrB_Info grid_paged_list(grid_axis *list, GrB_Matrix A, bool rows);
#endif
