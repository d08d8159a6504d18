/* lmat_format.h: a freshly made part gets the axes that its entries want. */
#ifndef GRID_LMAT_FORMAT_H
#define GRID_LMAT_FORMAT_H
#include "spmat/matrix/local_matrix.h"

/* p has by_row, on the host, and nothing else. Each axis becomes a list of the vectors that hold entries, or
 * all of them, by the rule of local_matrix.h (GRID_HYPER): the form of an axis depends on the entries alone. On
 * failure p is as it was. */
GrB_Info grid_lmat_choose_format(grid_local_matrix *p);
/* That rule: does an axis of so many entries and non-empty vectors want a list of them? */
bool grid_axis_is_hyper_for(const grid_axis *a, uint64_t entries, uint64_t used);

/* Rows of a part that list none of the vectors of an axis. `part` borrows all that need not be made. */
typedef struct {
  grid_local_matrix lmat;
  uint32_t *ptr, *idx; /* made, */
  uint64_t *offsets64; /* ... this in ptr's place where from has such offsets */
} grid_expanded_lmat;
/* from: by row, on the host, of fewer than 2^32 columns, and rows, if those are not to be listed
 * either. *u is to be freed before from, after an error too. */
GrB_Info grid_lmat_expand_hyper(grid_expanded_lmat *u, const grid_local_matrix *from, bool rows);
void grid_expanded_lmat_free(grid_expanded_lmat *u);
#endif
