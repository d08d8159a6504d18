/* Degrees of a local matrix on the host: the number of entries of its rows or columns. */
#ifndef GRID_LMAT_DEGREES_H
#define GRID_LMAT_DEGREES_H
#include "spmat/matrix/local_matrix.h"

/* degree[k] = entries of row (column) k of p, compact index, for the axis's n. */
void grid_lmat_count_degrees(const grid_local_matrix *p, bool rows, uint32_t *degree);
#endif
