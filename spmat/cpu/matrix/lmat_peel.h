/* Grid_Matrix_peel for a whole matrix, by the threads of one process. */
#ifndef GRID_LMAT_PEEL_H
#define GRID_LMAT_PEEL_H
#include "spmat/lmat_ops.h"

/* t (empty, of type INT64) = the degrees afterwards; *levels: how many there are. The matrix lies on the
 * host, by rows. GRID_UNSUPPORTED: an axis of it is hypersparse, or a degree is 2^31 or more; then t is
 * empty. */
GrB_Info grid_cpu_lmat_peel(grid_chunk *t, uint64_t *levels, const grid_peel_operands *x);
#endif
