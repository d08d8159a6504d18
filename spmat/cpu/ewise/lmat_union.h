/* The union of two local matrices, row by row: element-wise addition, accumulation, and the selection by a
 * mask of entries from one operand or the other. */
#ifndef GRID_LMAT_UNION_H
#define GRID_LMAT_UNION_H
#include "spmat/convert/lmat_align.h"
#include "spmat/lmat_ops.h"

/* Operands lie on the host. z (empty, of the same dimensions and of the result's type, to which x, y and op's
 * result are cast) becomes the union, with axes chosen by its entries. On failure it is empty. */
GrB_Info grid_cpu_lmat_union(grid_local_matrix *z, const grid_union *u);
#endif
