/* See columns.h. One build sorts the tuples once, where assigning each column would copy those before. */
#include "algos/support/columns.h"

#include <stdlib.h>

/* Room for `more` tuples; false: there is no memory. */
static bool reserve(column_list *c, GrB_Index more) {
  if (c->count + more <= c->capacity && c->row != NULL) return true;
  const GrB_Index capacity = 2 * c->capacity + more + 1;
  GrB_Index *row = realloc(c->row, capacity * sizeof *row);
  if (row != NULL) c->row = row;
  GrB_Index *col = realloc(c->col, capacity * sizeof *col);
  if (col != NULL) c->col = col;
  void *value = realloc(c->value, capacity * c->size);
  if (value != NULL) c->value = value;
  if (row == NULL || col == NULL || value == NULL) return false;
  c->capacity = capacity;
  return true;
}

GrB_Info grid_columns_add(column_list *c, GrB_Vector v, GrB_Index col) {
  GrB_Index n, first, found;
  GrB_Info info;
  TRY(GrB_Vector_size(&n, v));
  TRY(Grid_local_range(n, &first, &found));
  const bool allocated = reserve(c, found);
  if (allocated)
    info = Grid_Vector_extractLocal(c->row + c->count, (char *)c->value + c->count * c->size, &found, v);
  TRY(Grid_agree(allocated ? info : GrB_OUT_OF_MEMORY, allocated ? NULL : "no memory for columns"));
  for (GrB_Index k = 0; k < found; k++) c->col[c->count++] = col;
out:
  return info;
}

GrB_Info grid_columns_build(GrB_Matrix *M, column_list *c, GrB_Index nrows, GrB_Index ncols) {
  GrB_Info info;
  TRY(GrB_Matrix_new(M, c->type, nrows, ncols));
  TRY(Grid_Matrix_build(*M, c->row, c->col, c->value, c->type, c->count, NULL, 0));
  c->count = 0;
out:
  return info;
}

void grid_columns_free(column_list *c) {
  free(c->row), free(c->col), free(c->value);
}
