/* Replaces some rows and columns of a local matrix by those of another. Both lie on the host, by row. */
#ifndef GRID_LMAT_ASSIGN_H
#define GRID_LMAT_ASSIGN_H
#include "spmat/sort/index_set.h"
#include "spmat/matrix/local_matrix.h"

/* z (empty, with c's type and dimensions) = t's entries, and c's where t has none, but none of c's in the
 * region. t is of c's type and has no entries outside the region, which may lack rows and columns without
 * entries of c. Without a region: t's entries, and c's where t has none. On failure z stays empty. */
GrB_Info grid_cpu_lmat_assign(grid_local_matrix *z, const grid_local_matrix *c, const grid_local_matrix *t,
                              const grid_region *s);
#endif
