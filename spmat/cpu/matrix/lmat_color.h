/* Grid_Matrix_color for a whole matrix, by the threads of one process. */
#ifndef GRID_LMAT_COLOR_H
#define GRID_LMAT_COLOR_H
#include "spmat/lmat_ops.h"

/* t (empty, of type INT64) = the colors; *colors: how many there are. The matrix lies on the host, by rows.
 * GRID_UNSUPPORTED: an axis of it is hypersparse; then t is empty. */
GrB_Info grid_cpu_lmat_color(grid_chunk *t, uint64_t *colors, const grid_color_operands *x);
#endif
