/* Columns of a matrix that has few, or whose consecutive rows use few, such as a mesh's or a band's: entries
 * are stored directly at their places. */
#ifndef GRID_LMAT_COLUMNS_LOCAL_H
#define GRID_LMAT_COLUMNS_LOCAL_H
#include "spmat/matrix/local_matrix.h"

/* Do the entries, or the positions of all columns, or by a sample the columns that stretches of rows use, fit
 * the cache (grid_tune.columns_window)? */
bool grid_lmat_has_local_columns(const grid_local_matrix *p);
/* As grid_lmat_make_columns. GRID_UNSUPPORTED: threads share too many columns; nothing was made. */
GrB_Info grid_lmat_make_local_columns(const grid_local_matrix *p, grid_compressed *to);
#endif
