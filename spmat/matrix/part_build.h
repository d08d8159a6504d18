/* Building a part from tuples that are read where they are. */
#ifndef GRID_PART_BUILD_H
#define GRID_PART_BUILD_H
#include "spmat/matrix/part.h"
#include "spmat/sort/sort.h"

/* Keys are row << grid_key_bits(p) | column, loads are what grid_load_values makes of the values. */
typedef struct {
  grid_source source;
  const grid_dealt *dealt;    /* or, where it is not NULL, these, source.n of them; their keys are freed */
  bool pattern;               /* no values, but `one` for all */
  const void *values, *one;   /* of the part's type; values may be NULL where they are no wider than a load */
  const atomic_bool *spoiled; /* grid_sort_tuples; NULL: keys are known to be good */
  grid_duplicates how;
} grid_part_source;
int grid_key_bits(const grid_part *p);

/* Like grid_part_build; neither axis is longer than 2^32. */
GrB_Info grid_part_build_from(grid_part *p, const grid_part_source *t, grid_pair *bad);
#endif
