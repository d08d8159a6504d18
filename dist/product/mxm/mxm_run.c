/* The run of a method (mxm.h). */
#include "dist/product/mxm/mxm.h"

GrB_Info grid_mxm_run_method(grid_plan *plan,
                             GrB_Info (*multiply)(const grid_mxm_call *x, grid_local_matrix *t)) {
  const grid_mxm_call *x = grid_mxm_of(plan);
  grid_local_matrix t = {0};
  const GrB_Info info = multiply(x, &t);
  if (info == GRID_UNSUPPORTED) {
    if (t.type) grid_lmat_free(&t);
    return info;
  }
  return grid_finish_matrix(x->C, x->mask, x->accum, x->d, &t, x->mask != NULL, info);
}
