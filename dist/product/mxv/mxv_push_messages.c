/* A push of a symmetric pattern along rows, whose targets are sent to their owners. */
#include "dist/product/mxv/mxv_methods.h"

#include "dist/plan/push_pull.h"
#include "dist/product/exchange/push_along_rows.h"

static bool applies(const grid_plan *plan) {
  const grid_product *p = grid_mxv_product(plan);
  if (!grid_mxv_may_push(p, false)) return false;
  return plan->forced == &grid_mxv_push_messages.method ? !p->pages && grid_can_push_rows(p)
                                                        : grid_should_push_along_rows(p);
}

static GrB_Info run(grid_plan *plan) {
  grid_mxv_call *x = (grid_mxv_call *)plan;
  double since = grid_product_now();
  const GrB_Info info = grid_push_rows(&x->p, &x->t);
  grid_product_lap(&x->p, &x->p.stats.fold_ms, &since);
  return info;
}

const grid_mxv_method grid_mxv_push_messages = {.method = {.name = "push-messages",
                                                           .needs_several = true,
                                                           .applies = applies,
                                                           .cost = grid_mxv_push_cost,
                                                           .run = run},
                                                .pushes_rows = true};
