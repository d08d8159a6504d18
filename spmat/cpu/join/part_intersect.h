/* part_intersect.h: the places that two parts share: element-wise multiplication. */
#ifndef GRID_PART_INTERSECT_H
#define GRID_PART_INTERSECT_H
#include "spmat/matrix/part.h"

/* z (empty, of the same dimensions, of the operator's result type) becomes op(x, y) where both have entries,
 * with the axes that it wants. x and y lie on the host. On failure z is empty. */
GrB_Info grid_part_intersect(grid_part *z, const grid_part *x, const grid_part *y, GrB_BinaryOp op);

/* op(x, y), entry by entry, of parts with the same pattern (grid_part_same_pattern), which z (empty) gets,
 * too. */
GrB_Info grid_part_combine(grid_part *z, const grid_part *x, const grid_part *y, GrB_BinaryOp op);
#endif
