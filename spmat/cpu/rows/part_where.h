/* part_where.h: where the entries of a part stand in the whole matrix, some at a time, for operators that
 * want to know. */
#ifndef GRID_PART_WHERE_H
#define GRID_PART_WHERE_H
#include "spmat/product.h"

typedef struct {
  const grid_part *p;
  const grid_places *rows, *cols;
  uint64_t row; /* compact row of the entry read last */
} grid_where;

/* To read from entry e on. */
grid_where grid_where_begin(const grid_part *p, const grid_places *rows, const grid_places *cols, uint64_t e);
/* Row i[k] and column j[k] of entry e + k, for k < n; e ascends from call to call. */
void grid_where_read(grid_where *w, uint64_t e, size_t n, uint64_t *i, uint64_t *j);
#endif
