/* The rows of a matrix mask as the kernels of a product read them. */
#ifndef GRID_MXM_MASK_ROWS_H
#define GRID_MXM_MASK_ROWS_H
#include "spmat/cpu/mxm/mxm_job.h"
#include "spmat/matrix/local_matrix.h"

typedef struct {
  mxm_vectors v;
  uint64_t *start, *end; /* arrays of this structure, if v is not a view of the mask's */
  uint32_t *idx, *map;
} grid_mask_rows;

/* *m = the true entries (structure: all) of the mask, which is on the host by row, in the numbering of the
 * axes. The caller frees it, also after an error. */
GrB_Info grid_mask_rows_make(grid_mask_rows *m, const grid_local_matrix *mask, bool structure,
                             const grid_axis *rows, const grid_axis *cols);
void grid_mask_rows_free(grid_mask_rows *m);
#endif
