/* mxm_mask_rows.h: the rows of a matrix mask as the kernels of a product read them. */
#ifndef GRID_MXM_MASK_ROWS_H
#define GRID_MXM_MASK_ROWS_H
#include "spmat/cpu/mxm/mxm_job.h"
#include "spmat/matrix/local_matrix.h"

typedef struct {
  mxm_vectors v;
  uint64_t *start, *end; /* own arrays, where the mask's do not serve */
  uint32_t *idx, *map;
} grid_mask_rows;

/* Of the mask, which lies on the host by row, the entries that are true (structure: all), by the rows and
 * columns that the axes number. To be freed, also after an error. */
GrB_Info grid_mask_rows_make(grid_mask_rows *m, const grid_local_matrix *mask, bool structure,
                             const grid_axis *rows, const grid_axis *cols);
void grid_mask_rows_free(grid_mask_rows *m);
#endif
