/* lmat_extract.h: rows and columns of a part in other places: what extract, assign and resize do inside a
 * block. Parts lie on the host, compressed by row. */
#ifndef GRID_LMAT_EXTRACT_H
#define GRID_LMAT_EXTRACT_H
#include "spmat/sort/index_set.h"
#include "spmat/matrix/local_matrix.h"

/* t(k, l) = p(I[k], J[l]); indices may repeat. t is empty, with its dimensions, at least as long as the
 * sets. On failure it stays empty. */
GrB_Info grid_cpu_lmat_extract(grid_local_matrix *t, const grid_local_matrix *p, const grid_index_set *I,
                               const grid_index_set *J);
/* t(I[k], J[l]) = p(k, l), p having no entries beyond the sets; of an index that repeats, one. */
GrB_Info grid_cpu_lmat_scatter(grid_local_matrix *t, const grid_local_matrix *p, const grid_index_set *I,
                               const grid_index_set *J);
#endif
