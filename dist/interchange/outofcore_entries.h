/* outofcore_entries.h: a matrix on disk leaves the library entry by entry, page by page: it need not be in memory
 * for that. */
#ifndef GRID_OUTOFCORE_ENTRIES_H
#define GRID_OUTOFCORE_ENTRIES_H
#include "dist/matrix/matrix.h"

/* Some entries, by rows, each ascending; numbers are the whole matrix's. */
typedef struct {
  uint64_t n;
  const uint64_t *row;
  const uint32_t *col;
  const char *val; /* of the matrix's type, or NULL: not wanted */
} grid_paged_batch;
typedef void grid_paged_visit(void *context, const grid_paged_batch *e);

/* Is A on disk, and can it leave so? Columns are named in 32 bits. The same everywhere. */
bool grid_is_paged_entries(GrB_Matrix A);
/* Visits all entries of A, which is paged, on every process; own: those of the own rows alone. Collective,
 * agreed on: after an error some have been visited. */
GrB_Info grid_paged_entries(GrB_Matrix A, bool own, bool values, grid_paged_visit *visit, void *context);
#endif
