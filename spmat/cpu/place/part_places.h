/* part_places.h: where the rows and columns of a part go in another one: the steps before its entries are
 * moved (part_extract.c). */
#ifndef GRID_CPU_PART_PLACES_H
#define GRID_CPU_PART_PLACES_H
#include "spmat/sort/index_set.h"
#include "spmat/matrix/part.h"

#define GRID_NO_PLACE UINT32_MAX

/* Compact row r of the result is compact row from[r] of p, or none (GRID_NO_PLACE); without `from` the n rows
 * from `lead` on are p's from `first` on, others none. */
typedef struct {
  uint32_t *from;
  uint64_t lead, first, n;
} grid_row_places;

static inline uint64_t grid_row_from(const grid_row_places *x, uint64_t r) {
  if (x->from) return x->from[r];
  return r - x->lead < x->n ? x->first + (r - x->lead) : GRID_NO_PLACE;
}

/* The compact columns [low, high) of p become themselves + add (which wraps); with `to`: c becomes to[c], or
 * nothing (GRID_NO_PLACE); with `start`: each of to[start[c] .. start[c + 1]). */
typedef struct {
  uint64_t low, high;
  uint32_t add;
  uint32_t *to;
  uint64_t *start;
  bool ascends; /* of ascending columns come ascending ones */
} grid_col_places;

/* Places for an extract (t(k) = p(I[k])) or a spread (t(I[k]) = p(k)) of one axis; t's axis is given its form
 * with them. To be freed, also after an error. */
GrB_Info grid_row_places_make(grid_row_places *x, grid_axis *t, const grid_part *p, const grid_index_set *I,
                              bool spread);
GrB_Info grid_col_places_make(grid_col_places *x, grid_axis *t, const grid_part *p, const grid_index_set *J,
                              bool spread);
void grid_row_places_free(grid_row_places *x);
void grid_col_places_free(grid_col_places *x);
#endif
