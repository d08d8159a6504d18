/* index_map.h: where the rows and columns of a part go in another one: the steps before its entries are
 * moved (lmat_extract.c). */
#ifndef GRID_INDEX_MAP_H
#define GRID_INDEX_MAP_H
#include "spmat/sort/index_set.h"
#include "spmat/matrix/local_matrix.h"

#define GRID_NO_POSITION UINT32_MAX

/* Compact row r of the result is compact row from[r] of p, or none (GRID_NO_POSITION); without `from` the n
 * rows from `lead` on are p's from `first` on, others none. */
typedef struct {
  uint32_t *from;
  uint64_t begin, first, n;
} grid_row_map;

static inline uint64_t grid_source_row(const grid_row_map *x, uint64_t r) {
  if (x->from) return x->from[r];
  return r - x->begin < x->n ? x->first + (r - x->begin) : GRID_NO_POSITION;
}

/* The compact columns [low, high) of p become themselves + add (which wraps); with `to`: c becomes to[c], or
 * nothing (GRID_NO_POSITION); with `start`: each of to[start[c] .. start[c + 1]). */
typedef struct {
  uint64_t low, high;
  uint32_t add;
  uint32_t *to;
  uint64_t *start;
  bool ascends; /* of ascending columns come ascending ones */
} grid_col_map;

/* Places for an extract (t(k) = p(I[k])) or a spread (t(I[k]) = p(k)) of one axis; t's axis is given its form
 * with them. To be freed, also after an error. */
GrB_Info grid_row_map_make(grid_row_map *x, grid_axis *t, const grid_local_matrix *p, const grid_index_set *I,
                           bool spread);
GrB_Info grid_col_map_make(grid_col_map *x, grid_axis *t, const grid_local_matrix *p, const grid_index_set *J,
                           bool spread);
void grid_row_map_free(grid_row_map *x);
void grid_col_map_free(grid_col_map *x);
#endif
