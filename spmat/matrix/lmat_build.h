/* Building a part from tuples that are read where they are. */
#ifndef GRID_LMAT_BUILD_H
#define GRID_LMAT_BUILD_H
#include "spmat/matrix/local_matrix.h"
#include "spmat/sort/sort.h"

/* Keys are row << grid_key_bits(p) | column, loads are what grid_load_values makes of the values. */
typedef struct {
  grid_source source;
  const grid_binned *binned; /* or, where it is not NULL, these, source.n of them; their keys are freed */
  bool pattern;              /* no values, but `one` for all */
  const void *values,
      *one; /* of the local matrix's type; values may be NULL where they are no wider than a load */
  const atomic_bool *has_bad_index; /* grid_sort_tuples; NULL: keys are known to be good */
  grid_duplicates how;
} grid_lmat_source;
int grid_key_bits(const grid_local_matrix *p);

/* Like grid_lmat_build; neither axis is longer than 2^32. */
GrB_Info grid_lmat_build_from(grid_local_matrix *p, const grid_lmat_source *t, grid_pair *bad);
#endif
