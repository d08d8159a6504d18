/* Grid_Matrix_distances for a whole matrix, by the threads of one process. */
#ifndef GRID_LMAT_DISTANCES_H
#define GRID_LMAT_DISTANCES_H
#include "spmat/lmat_ops.h"

/* The matrix and the results lie on the host. GRID_UNSUPPORTED, and nothing changes: an axis of the matrix is
 * hypersparse, or it lacks the form that the searches read. */
GrB_Info grid_cpu_lmat_distances(const grid_distance_operands *x);
#endif
