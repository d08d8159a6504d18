/* The rows or columns of aligned matrices that a set of indices contains. */
#ifndef GRID_LMAT_SPAN_H
#define GRID_LMAT_SPAN_H
#include "spmat/sort/index_set.h"
#include "spmat/matrix/local_matrix.h"

/* The compact indices [low, high) of an axis; with bits: those that are set. */
typedef struct {
  uint64_t low, high;
  uint64_t *bits;
} grid_span;

static inline bool grid_span_has(const grid_span *s, uint64_t k) {
  return k - s->low < s->high - s->low && (!s->bits || s->bits[k >> 6] >> (k & 63) & 1);
}
/* Finds those in the set. The caller frees *s, also after an error. */
GrB_Info grid_span_find(grid_span *s, const grid_axis *a, const grid_index_set *set);
void grid_span_free(grid_span *s);
#endif
