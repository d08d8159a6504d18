/* part_union.h: the entries of two parts together, row by row: element-wise addition, accumulation, and what
 * a mask takes from one part and leaves of another. */
#ifndef GRID_PART_UNION_H
#define GRID_PART_UNION_H
#include "spmat/convert/part_align.h"
#include "spmat/parts.h"

/* The parts lie on the host. z (empty, of the same dimensions; its type is that of the result, to which x, y
 * and op's result are cast) becomes the union, with the axes that it wants. On failure it is empty. */
GrB_Info grid_part_union(grid_part *z, const grid_union *u);
#endif
