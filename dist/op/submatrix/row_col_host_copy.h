/* Rows and columns (lines) that are read one by one from a matrix on the device, as in a loop over vertices.
 * Each read copies a line between the memories. After as many reads as a copy of the whole block costs, the
 * block is copied to the host. Until the entries change, short lines are then read there. On one process. */
#ifndef GRID_ROW_COL_HOST_COPY_H
#define GRID_ROW_COL_HOST_COPY_H
#include "dist/matrix/matrix.h"

/* A line of this length was read on the device. Local. */
void grid_row_col_count_read(GrB_Matrix A, uint64_t length);
/* The copy on the host if it is there and valid, else NULL. A may be any handle. Local. */
const grid_local_matrix *grid_row_col_host_copy(const void *A);
#endif
