/* The entries of a local matrix as tuples. */
#ifndef GRID_LMAT_TUPLES_H
#define GRID_LMAT_TUPLES_H
#include "spmat/local_product.h"

/* For each entry, by rows, each ascending: its global row (by `rows`), its global column, and its value cast
 * to xt; row, col and val may be NULL. The matrix lies on the host. */
void grid_lmat_to_tuples(uint64_t *row, uint64_t *col, void *val, GrB_Type xt, const grid_local_matrix *p,
                         const grid_index_map *rows, const grid_index_map *cols);
#endif
