/* Building a part from tuples that are in order already, each for an entry of its own: in one pass, without
 * sorting. */
#ifndef GRID_BUILD_ORDERED_H
#define GRID_BUILD_ORDERED_H
#include "spmat/matrix/lmat_build.h"

/* Makes by_row with all rows, and nvals, if the tuples are such and so many that the rows need no list; else
 * nothing has happened but that they were looked at. *done: which. */
GrB_Info grid_build_ordered(grid_local_matrix *p, const grid_lmat_source *t, bool *done);
#endif
