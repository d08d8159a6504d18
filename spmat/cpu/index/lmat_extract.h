/* Permutes and selects rows and columns of a local matrix: the local step of extract, assign and resize.
 * Matrices lie on the host, by row. */
#ifndef GRID_LMAT_EXTRACT_H
#define GRID_LMAT_EXTRACT_H
#include "spmat/sort/index_set.h"
#include "spmat/matrix/local_matrix.h"

/* t(k, l) = p(I[k], J[l]); indices may repeat. t is empty, with its dimensions, at least as long as the
 * sets. On failure it stays empty. */
GrB_Info grid_cpu_lmat_extract(grid_local_matrix *t, const grid_local_matrix *p, const grid_index_set *I,
                               const grid_index_set *J);
/* t(I[k], J[l]) = p(k, l); p has no entries beyond the sets. Of equal indices one counts. */
GrB_Info grid_cpu_lmat_scatter(grid_local_matrix *t, const grid_local_matrix *p, const grid_index_set *I,
                               const grid_index_set *J);
#endif
