/* GrB_mxm by a diagonal B on one process: A with its columns scaled. */
#include "dist/product/mxm/diagonal_scaling.h"
#include "dist/product/mxm/mxm_methods.h"

static bool applies(const grid_plan *plan) {
  return grid_ctx.P == 1 && grid_can_be_diagonal(grid_mxm_of(plan));
}

/* GRID_UNSUPPORTED: B has entries elsewhere. */
static GrB_Info multiply(const grid_mxm_call *x, grid_local_matrix *t) {
  const grid_local_matrix *a = &x->A->block, *b = &x->B->block;
  GrB_Info info;
  TRY(grid_matrix_require_host(x->A, 0, x->call));
  TRY(grid_matrix_require_host(x->B, 0, x->call));
  info = grid_is_diagonal_scaling(a, b) ? grid_scale_by_diagonal(t, a, b, x->s->mul) : GRID_UNSUPPORTED;
done:
  return info;
}

static GrB_Info run(grid_plan *plan) {
  return grid_mxm_run_method(plan, multiply);
}

const grid_method grid_mxm_method_diagonal = {.name = "diagonal", .applies = applies, .run = run};
