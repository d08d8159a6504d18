/* lmat_tuples.h: the entries of a part as tuples. */
#ifndef GRID_LMAT_TUPLES_H
#define GRID_LMAT_TUPLES_H
#include "spmat/local_product.h"

/* Of the k-th entry, by rows, each ascending: its row (where `rows` says it stands in the whole), column, and
 * value cast to xt; row, col and val may be NULL. The part lies on the host. */
void grid_lmat_to_tuples(uint64_t *row, uint64_t *col, void *val, GrB_Type xt, const grid_local_matrix *p,
                         const grid_index_map *rows, const grid_index_map *cols);
#endif
