/* Builds a local matrix from tuples that a source reads in place. */
#ifndef GRID_LMAT_BUILD_H
#define GRID_LMAT_BUILD_H
#include "spmat/matrix/axis.h"
#include "spmat/matrix/local_matrix.h"
#include "spmat/sort/sort.h"

/* Keys are row << grid_key_bits(p) | column; loads are made from values by grid_load_values. */
typedef struct {
  grid_source source;
  const grid_binned *binned;        /* or, if not NULL, these source.n tuples; see grid_sort_binned */
  bool pattern;                     /* no values: all are `one` */
  const void *values, *one;         /* of the local matrix's type; values may be NULL if they fit a load */
  const atomic_bool *has_bad_index; /* see grid_sort_tuples; NULL: keys are known to be valid */
  grid_duplicates how;
  /* NULL, or frees what the source reads: called, if at all, when it is not read again and the build cannot
   * fail */
  void (*release)(void *released);
  void *released;
} grid_lmat_source;
static inline int grid_key_bits(const grid_local_matrix *p) {
  return grid_index_bits(grid_axis_span(&p->col));
}

/* Like grid_lmat_build; neither axis is longer than 2^32. */
GrB_Info grid_lmat_build_from(grid_local_matrix *p, const grid_lmat_source *t, grid_pair *bad);
#endif
