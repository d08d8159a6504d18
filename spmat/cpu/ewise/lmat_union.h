/* lmat_union.h: the entries of two parts together, row by row: element-wise addition, accumulation, and what
 * a mask takes from one part and leaves of another. */
#ifndef GRID_LMAT_UNION_H
#define GRID_LMAT_UNION_H
#include "spmat/convert/lmat_align.h"
#include "spmat/lmat_ops.h"

/* The parts lie on the host. z (empty, of the same dimensions; its type is that of the result, to which x, y
 * and op's result are cast) becomes the union, with the axes that it wants. On failure it is empty. */
GrB_Info grid_cpu_lmat_union(grid_local_matrix *z, const grid_union *u);
#endif
