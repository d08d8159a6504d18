/* The non-empty vectors of an axis, listed where they are few. */
#ifndef GRID_AXIS_H
#define GRID_AXIS_H
#include "spmat/matrix/local_matrix.h"

/* Indices that an axis's entries may have: compact ones, once it is listed. */
static inline uint64_t grid_axis_span(const grid_axis *a) {
  return a->ids ? a->n : a->dim;
}
/* Bytes of an id in its list. */
static inline size_t grid_axis_id_size(const grid_axis *a) {
  return grid_axis_has_ids64(a) ? sizeof(uint64_t) : sizeof(uint32_t);
}
/* Room for a list of n ids, all of them to be put. GrB_OUT_OF_MEMORY also where n are more than can be
 * numbered; the axis is as it was then. */
GrB_Info grid_axis_list(grid_axis *a, uint64_t n);
static inline void grid_axis_store(const grid_axis *a, uint64_t k, uint64_t id) {
  if (grid_axis_has_ids64(a))
    ((uint64_t *)a->ids)[k] = id;
  else
    ((uint32_t *)a->ids)[k] = (uint32_t)id;
}
/* *to (empty) = from, a list of its own; one that lists no vectors and does not have them all lists none. */
GrB_Info grid_axis_copy(grid_axis *to, const grid_axis *from);
/* *number (to be freed): for each vector of x its number in `in`, or UINT32_MAX where that has none. */
GrB_Info grid_axis_numbers(uint32_t **number, const grid_axis *x, const grid_axis *in);
/* Bits of the indices below n. */
static inline int grid_index_bits(uint64_t n) {
  return n > 1 ? 64 - __builtin_clzll(n - 1) : 0;
}

/* Before tuples are sorted: an axis of p of more than 32 bits is listed, and *key (to be freed) is row <<
 * bits | column of each tuple, as compact as the axes are, bits = grid_index_bits(grid_axis_span(&p->col)).
 */
GrB_Info grid_axes_pack(grid_local_matrix *p, const grid_pair *pair, uint64_t n, uint64_t **key);

/* Afterwards: by_row's columns are listed and become compact, if few of them hold an entry. p was made of n
 * tuples. */
GrB_Info grid_axis_of_columns(grid_local_matrix *p, uint64_t n);
#endif
