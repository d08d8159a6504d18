/* A row or a column of a matrix as a vector, and back. Pending changes of the matrix stay pending, and a
 * vector that is assigned becomes pending too, unless it is long. So a loop over rows or columns costs only
 * their entries. With the device on nothing waits, unless the matrix is out of core: lines are read and
 * written where the matrix lies. */
#ifndef GRID_ROW_COL_VECTOR_H
#define GRID_ROW_COL_VECTOR_H
#include "dist/matrix/matrix.h"
#include "dist/vector/vector.h"

/* *u = row or column v of A; NULL after an error. Collective, agreed on. */
GrB_Info grid_matrix_get_vector(GrB_Vector *u, GrB_Matrix A, bool row, uint64_t v, const char *call);

/* The same on the host, before the last agreement: *outcome, this process's own, goes into the caller's next
 * grid_short_call_agree. *u is NULL after this process's failure. may_be_short_call: until then the caller
 * requests memory at most twice, and no more than *u took. */
GrB_Info grid_matrix_read_vector(GrB_Vector *u, GrB_Matrix A, bool row, uint64_t v, const char *call,
                                 bool may_be_short_call, GrB_Info *outcome);

/* The entries of a vector, on all processes, ascending. */
typedef struct {
  uint64_t n;
  uint64_t *idx;
  char *val;
} grid_vector_entries;
/* To be freed, also after an error. Collective, agreed on. */
GrB_Info grid_vector_entries_of(grid_vector_entries *x, GrB_Vector u);
void grid_vector_entries_free(grid_vector_entries *x);

/* C's row (column) v, whose entries are `before` (unused with the device on, if C is in memory), becomes w,
 * which has C's type and is spent. Collective, agreed on. */
GrB_Info grid_matrix_set_vector(GrB_Matrix C, const grid_vector_entries *before, GrB_Vector w, bool row,
                                uint64_t v, const char *call);
#endif
