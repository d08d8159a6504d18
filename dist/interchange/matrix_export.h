/* Steps that the functions share which write a local matrix into arrays of the program. */
#ifndef GRID_MATRIX_EXPORT_H
#define GRID_MATRIX_EXPORT_H
#include "dist/matrix/matrix.h"

/* ptr[0 .. n]: offset of each of the first n rows (columns) of the axis, then the end. */
void grid_export_offsets(GrB_Index *ptr, uint64_t n, const grid_axis *axis, const grid_compressed *c);
/* The transpose of p, which is on the host: its columns as rows, without copies of p's arrays. Columns that p
 * lacks are computed into *made, which the caller frees. */
GrB_Info grid_export_by_column(grid_local_matrix *transposed, grid_compressed *made,
                               const grid_local_matrix *p);
#endif
