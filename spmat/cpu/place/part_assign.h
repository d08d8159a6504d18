/* part_assign.h: a part with some of its rows and columns replaced by another's. Parts lie on the host,
 * compressed by row. */
#ifndef GRID_CPU_PART_ASSIGN_H
#define GRID_CPU_PART_ASSIGN_H
#include "spmat/sort/index_set.h"
#include "spmat/matrix/part.h"

/* z (empty, with c's type and dimensions) = t's entries, and c's where t has none, but none of c's in the
 * region. t is of c's type and has no entries outside the region. Without a region: t's, and c's where t has
 * none. On failure z stays empty. */
GrB_Info grid_part_assign(grid_part *z, const grid_part *c, const grid_part *t, const grid_region *s);
#endif
