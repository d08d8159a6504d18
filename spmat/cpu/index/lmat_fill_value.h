/* Fills positions with one value: all positions of a set of rows and a set of columns, or those that a mask
 * allows. */
#ifndef GRID_LMAT_FILL_VALUE_H
#define GRID_LMAT_FILL_VALUE_H
#include "spmat/cpu/index/lmat_assign.h"

/* t (empty, with its type and dimensions, on the host) = x, a value of its type, at every position of the
 * region. On failure it stays empty; GrB_OUT_OF_MEMORY also if there are more positions than memory can hold.
 */
GrB_Info grid_cpu_lmat_fill_region(grid_local_matrix *t, const void *x, const grid_region *s);
/* The same at the positions of the region (NULL: all) where m (of t's dimensions, on the host) has an entry,
 * which must be true unless the mask is structural. */
GrB_Info grid_cpu_lmat_fill_mask(grid_local_matrix *t, const void *x, const grid_region *s,
                                 const grid_local_matrix *m, bool structure);
#endif
