/* Matrices stored as a few arrays (scipy's .npz, Binsparse): each process reads its share of them,
 * whatever the container. */
#ifndef GRID_SPARSE_ARRAYS_H
#define GRID_SPARSE_ARRAYS_H
#include "dist/grid/process_grid.h"

typedef enum { GRID_BY_ENTRY, GRID_BY_ROW, GRID_BY_COLUMN } grid_arrays_order;
/* By entry: rows, columns, values. By row (column): offsets, columns (rows), values. */
enum { GRID_ARRAY_FIRST, GRID_ARRAY_SECOND, GRID_ARRAY_VALUES, GRID_ARRAYS };

typedef struct {
  const char *path;
  const char *names[GRID_ARRAYS]; /* the arrays' names in the file */
  grid_arrays_order order;
  uint64_t nrows, ncols, nvals;
  bool iso;   /* one value for all entries */
  bool truth; /* values are booleans: all true is a pattern */
  bool symmetric, skew;
  /* Read n elements from `first` on, within the array: indices (negative: UINT64_MAX), or values. Local;
   * record the error text. */
  GrB_Info (*numbers)(void *context, int array, uint64_t first, uint64_t n, uint64_t *to);
  GrB_Info (*values)(void *context, uint64_t first, uint64_t n, double *to);
  void *context;
} grid_arrays;

/* Reads the entries of this process's share. Collective, agreed on. */
GrB_Info grid_make_edges_from_arrays(Grid_Edges *e, const grid_arrays *a);
#endif
