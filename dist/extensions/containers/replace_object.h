/* A vector or matrix of another type and of other dimensions, under the same handle. Both cannot fail. Local;
 * all processes do the same. */
#ifndef GRID_REPLACE_OBJECT_H
#define GRID_REPLACE_OBJECT_H
#include "dist/matrix/matrix.h"
#include "dist/vector/vector.h"

/* v becomes a vector of c's type and size n, whose own chunk is c. c is empty afterwards. */
void grid_vector_replace(GrB_Vector v, uint64_t n, grid_chunk *c);
/* A becomes what `from` is, a matrix that no product has used, and keeps its hints. `from` is to be freed. */
void grid_matrix_replace(GrB_Matrix A, GrB_Matrix from);
#endif
