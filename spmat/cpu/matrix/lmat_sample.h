/* Some entries of each row of a local matrix, drawn at random. */
#ifndef GRID_LMAT_SAMPLE_H
#define GRID_LMAT_SAMPLE_H
#include "spmat/lmat_ops.h"

/* t (empty, or NULL) = for each entry of x->count so many entries of that row of x->a (spmat/sample_rows.h),
 * with axes chosen by its entries. columns (empty, or NULL) = true at the sample's columns. The operands lie
 * on the host. On failure both are empty. */
GrB_Info grid_cpu_lmat_sample(grid_local_matrix *t, grid_chunk *columns, const grid_sample_operands *x);
#endif
