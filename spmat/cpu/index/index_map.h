/* Maps rows and columns of a local matrix to those of another: the steps before lmat_extract.c moves the
 * entries. */
#ifndef GRID_INDEX_MAP_H
#define GRID_INDEX_MAP_H
#include "spmat/sort/index_set.h"
#include "spmat/matrix/local_matrix.h"

#define GRID_NO_POSITION UINT32_MAX

/* Compact row r of the result is compact row from[r] of p, or empty (GRID_NO_POSITION). Without `from`, the n
 * rows from `lead` on are p's from `first` on, and others are empty. */
typedef struct {
  uint32_t *from;
  uint64_t begin, first, n;
} grid_row_map;

static inline uint64_t grid_source_row(const grid_row_map *x, uint64_t r) {
  if (x->from) return x->from[r];
  return r - x->begin < x->n ? x->first + (r - x->begin) : GRID_NO_POSITION;
}

/* The compact columns [low, high) of p become themselves + add (which wraps). With `to`: c becomes to[c], or
 * is dropped (GRID_NO_POSITION). With `start`: c becomes each of to[start[c] .. start[c + 1]). */
typedef struct {
  uint64_t low, high;
  uint32_t add;
  uint32_t *to;
  uint64_t *start;
  bool ascends; /* the map preserves the order of columns */
} grid_col_map;

/* Maps of one axis for an extract (t(k) = p(I[k])) or a scatter (scatter: t(I[k]) = p(k)); they also set the
 * form of t's axis. The caller frees them, also after an error. */
GrB_Info grid_row_map_make(grid_row_map *x, grid_axis *t, const grid_local_matrix *p, const grid_index_set *I,
                           bool scatter);
GrB_Info grid_col_map_make(grid_col_map *x, grid_axis *t, const grid_local_matrix *p, const grid_index_set *J,
                           bool scatter);
void grid_row_map_free(grid_row_map *x);
void grid_col_map_free(grid_col_map *x);
#endif
