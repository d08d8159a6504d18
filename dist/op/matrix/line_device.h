/* line_device.h: a row or a column of a matrix as a vector, and back, in device memory: line.h's steps where
 * the device is on. A block's piece of a line is dealt out by chunks to the processes that share its columns
 * (rows), or put together from them. */
#ifndef GRID_LINE_DEVICE_H
#define GRID_LINE_DEVICE_H
#include "dist/object/matrix/matrix.h"
#include "dist/object/vector.h"

/* u, a new vector of A's type, becomes row or column v of A, which has its rows. GRID_NOT_HERE, on all: the
 * host must do it, and u is empty. Collective, agreed on. */
GrB_Info grid_line_read_device(GrB_Vector u, GrB_Matrix A, bool row, uint64_t v);
/* t = a part like C's block with w's entries, of C's type, in row or column v; w is spent. Likewise. */
GrB_Info grid_line_part_device(grid_part *t, GrB_Matrix C, GrB_Vector w, bool row, uint64_t v);
#endif
