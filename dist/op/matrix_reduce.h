/* What row sums of a matrix are made with. */
#ifndef GRID_MATRIX_REDUCE_H
#define GRID_MATRIX_REDUCE_H
#include "dist/object/matrix.h"

/* ones(k) = true for every column k (transposed: row) of A where it may have an entry: A times that is A's
 * row sums. Collective. */
GrB_Info grid_matrix_ones(GrB_Vector ones, GrB_Matrix A, bool transposed);
#endif
