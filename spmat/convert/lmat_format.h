/* Chooses the axes of a new local matrix by its entries. */
#ifndef GRID_LMAT_FORMAT_H
#define GRID_LMAT_FORMAT_H
#include "spmat/matrix/local_matrix.h"

/* p has by_row, on the host, and nothing else. Each axis becomes a list of the vectors with entries, or all
 * vectors, by the rule of GRID_HYPER (local_matrix.h): the form of an axis depends on the entries only. On
 * failure nothing changes. */
GrB_Info grid_lmat_choose_format(grid_local_matrix *p);
/* The rule: should an axis with this many entries and non-empty vectors have a list? */
bool grid_axis_is_hyper_for(const grid_axis *a, uint64_t entries, uint64_t used);

/* A view of a matrix without lists. `lmat` borrows all arrays that need not be made. */
typedef struct {
  grid_local_matrix lmat;
  uint32_t *ptr, *idx; /* allocated, */
  uint64_t *offsets64; /* or, if from has 64-bit offsets, these instead of ptr */
} grid_expanded_lmat;
/* from: by row, on the host, with fewer than 2^32 columns, and rows if their list is removed, too (rows). *u
 * is freed before from, also after an error. */
GrB_Info grid_lmat_expand_hyper(grid_expanded_lmat *u, const grid_local_matrix *from, bool rows);
void grid_expanded_lmat_free(grid_expanded_lmat *u);
#endif
