/* Degrees of a part on the host: how many entries its rows or columns hold. */
#ifndef GRID_LMAT_DEGREES_H
#define GRID_LMAT_DEGREES_H
#include "spmat/matrix/local_matrix.h"

/* degree[k] = entries of row (column) k of p, compact index, for the axis's n. */
void grid_lmat_count_degrees(const grid_local_matrix *p, bool rows, uint32_t *degree);
#endif
