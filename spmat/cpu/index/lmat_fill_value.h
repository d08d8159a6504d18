/* lmat_fill_value.h: one value in many places: all that a set of rows and a set of columns name, or those of them
 * where a mask allows it. */
#ifndef GRID_LMAT_FILL_VALUE_H
#define GRID_LMAT_FILL_VALUE_H
#include "spmat/cpu/index/lmat_assign.h"

/* t (empty, with its type and dimensions, on the host) = x, a value of its type, in every place of the
 * region. On failure it stays empty; so many places that nobody has memory for them are GrB_OUT_OF_MEMORY. */
GrB_Info grid_cpu_lmat_fill_region(grid_local_matrix *t, const void *x, const grid_region *s);
/* The same in the places of the region where m (of t's dimensions, on the host) has an entry, which is true
 * unless the mask is structural. */
GrB_Info grid_cpu_lmat_fill_mask(grid_local_matrix *t, const void *x, const grid_region *s,
                                 const grid_local_matrix *m, bool structure);
#endif
