/* Entries of a process as tuples, beside grid_matrix_tuples (matrix.h). All are local. */
#ifndef GRID_LOCAL_TUPLES_H
#define GRID_LOCAL_TUPLES_H
#include "dist/matrix/matrix.h"

/* Number of entries that this process holds, in the block and in cached properties (delegates). */
uint64_t grid_matrix_local_nvals(GrB_Matrix A);
/* Entries of `block`, which is A's on the host (or its out-of-core form): global coordinates, and values cast
 * to xt; each array may be NULL. */
GrB_Info grid_matrix_block_tuples(GrB_Matrix A, const grid_local_matrix *block, uint64_t *row, uint64_t *col,
                                  void *val, GrB_Type xt);
/* All of them, without values if the caller needs none; the block comes to the host. */
GrB_Info grid_matrix_host_tuples(GrB_Matrix A, grid_tuples *t, bool values);
/* All of them, with room for `capacity`; the block stays in its memory. */
GrB_Info grid_matrix_copy_tuples(GrB_Matrix A, grid_tuples *t, uint64_t capacity, bool values);
#endif
