/* Rows and columns that are read one by one from a matrix on the device: a loop over vertices costs a copy
 * between the memories a line. After as many reads as the copy of the whole block costs, the host has it,
 * too, until the entries change, and short lines are then read there. On one process. */
#ifndef GRID_ROW_COL_HOST_COPY_H
#define GRID_ROW_COL_HOST_COPY_H
#include "dist/matrix/matrix.h"

/* A line of this length was read on the device. Local. */
void grid_row_col_count_read(GrB_Matrix A, uint64_t length);
/* The copy on the host if it is there and valid, else NULL. A may be any handle. Local. */
const grid_local_matrix *grid_row_col_host_copy(const void *A);
#endif
