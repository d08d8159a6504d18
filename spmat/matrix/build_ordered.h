/* Builds a local matrix from tuples that are in order and distinct: in one pass, without sorting. */
#ifndef GRID_BUILD_ORDERED_H
#define GRID_BUILD_ORDERED_H
#include "spmat/matrix/lmat_build.h"

/* If the tuples are such, and enough of them that the rows need no list, makes by_row with all rows, and
 * nvals, and sets *done. Otherwise p is unchanged. */
GrB_Info grid_build_ordered(grid_local_matrix *p, const grid_lmat_source *t, bool *done);
#endif
