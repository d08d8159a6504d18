/* The entries of a row or column of a matrix that are in this process's block. */
#ifndef GRID_ROW_COL_ENTRIES_H
#define GRID_ROW_COL_ENTRIES_H
#include "dist/matrix/matrix.h"

/* A row or column of A, whose other indices are numbered 0 .. length - 1 in this process's block. */
typedef struct {
  GrB_Matrix A;
  bool row;
  uint64_t v;
  const grid_local_matrix *block; /* A's block, or its copy on the host */
} grid_row_col;
/* Does this process's block have a segment of it? */
bool grid_row_col_is_local(const grid_row_col *l);

typedef struct {
  uint64_t n;
  uint64_t *idx; /* in the matrix */
  char *val;
} grid_row_col_entries;
/* To be freed, also after an error. Changes that wait are in them, and must have been indexed. Local. */
GrB_Info grid_row_col_local_entries(grid_row_col_entries *e, const grid_row_col *l);
void grid_row_col_entries_free(grid_row_col_entries *e);
#endif
