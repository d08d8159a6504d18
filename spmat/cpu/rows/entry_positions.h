/* Global positions of the entries of a local matrix, read in blocks, for operators that use them. */
#ifndef GRID_ENTRY_POSITIONS_H
#define GRID_ENTRY_POSITIONS_H
#include "spmat/local_product.h"

typedef struct {
  const grid_local_matrix *p;
  const grid_index_map *rows, *cols;
  uint64_t row; /* compact row of the entry read last */
} grid_coords_cursor;

/* Begins at entry e. */
grid_coords_cursor grid_coords_begin(const grid_local_matrix *p, const grid_index_map *rows,
                                     const grid_index_map *cols, uint64_t e);
/* Row i[k] and column j[k] of entry e + k, for k < n; e ascends from call to call. i or j NULL: not read. */
void grid_coords_read(grid_coords_cursor *w, uint64_t e, size_t n, uint64_t *i, uint64_t *j);
#endif
