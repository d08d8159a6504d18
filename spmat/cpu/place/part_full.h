/* part_full.h: one value in many places: all that a set of rows and a set of columns name, or those of them
 * where a mask allows it. */
#ifndef GRID_CPU_PART_FULL_H
#define GRID_CPU_PART_FULL_H
#include "spmat/cpu/place/part_assign.h"

/* t (empty, with its type and dimensions, on the host) = x, a value of its type, in every place of the
 * region. On failure it stays empty; so many places that nobody has memory for them are GrB_OUT_OF_MEMORY. */
GrB_Info grid_part_full(grid_part *t, const void *x, const grid_region *s);
/* The same in the places of the region where m (of t's dimensions, on the host) has an entry, which is true
 * unless the mask is structural. */
GrB_Info grid_part_allowed(grid_part *t, const void *x, const grid_region *s, const grid_part *m,
                           bool structure);
#endif
