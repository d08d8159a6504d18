/* Axes of a local matrix that list their non-empty vectors where these are few (hypersparse). */
#ifndef GRID_AXIS_H
#define GRID_AXIS_H
#include "spmat/matrix/local_matrix.h"

/* Number of indices that entries may have: compact ones if the axis is hypersparse. */
static inline uint64_t grid_axis_span(const grid_axis *a) {
  return a->ids ? a->n : a->dim;
}
/* Bytes of an id in its list. */
static inline size_t grid_axis_id_size(const grid_axis *a) {
  return grid_axis_has_ids64(a) ? sizeof(uint64_t) : sizeof(uint32_t);
}
/* Allocates a list of n ids, all to be stored. GrB_OUT_OF_MEMORY also if n exceeds the range of compact
 * indices. On failure the axis is unchanged. */
GrB_Info grid_axis_list(grid_axis *a, uint64_t n);
static inline void grid_axis_store(const grid_axis *a, uint64_t k, uint64_t id) {
  if (grid_axis_has_ids64(a))
    ((uint64_t *)a->ids)[k] = id;
  else
    ((uint32_t *)a->ids)[k] = (uint32_t)id;
}
/* *to (empty) = from, with a list of its own. An axis without a list whose n is not final gets none. */
GrB_Info grid_axis_copy(grid_axis *to, const grid_axis *from);
/* *number (freed by the caller): for each vector of x its number in `in`, or UINT32_MAX if that lacks it. */
GrB_Info grid_axis_numbers(uint32_t **number, const grid_axis *x, const grid_axis *in);
/* Bits of the indices below n. */
static inline int grid_index_bits(uint64_t n) {
  return n > 1 ? 64 - __builtin_clzll(n - 1) : 0;
}

/* Before tuples are sorted: an axis of p with more than 32 bits gets a list. *key (freed by the caller) is
 * row << bits | column of each tuple, as compact as the axes, with bits =
 * grid_index_bits(grid_axis_span(&p->col)). */
GrB_Info grid_axes_pack(grid_local_matrix *p, const grid_pair *pair, uint64_t n, uint64_t **key);

/* After sorting: if few columns of by_row hold entries, they are listed and become compact. p was built from
 * n tuples. */
GrB_Info grid_axis_of_columns(grid_local_matrix *p, uint64_t n);
#endif
