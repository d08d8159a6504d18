/* A pull in which only the bits of delegates are sent to all processes; rows without a hit
 * request the bits of their other neighbors from the owners. */
#include "dist/product/mxv/mxv_methods.h"

#include "dist/delegates/owner_requests.h"

static bool applies(const grid_plan *plan) {
  const grid_product *p = grid_mxv_product(plan);
  return grid_mxv_may_pull(p, false) && grid_requests_are_possible(p) &&
         (plan->forced == &grid_mxv_requests.method || grid_requests_are_profitable(p));
}

static GrB_Info run(grid_plan *plan) {
  grid_mxv_call *x = (grid_mxv_call *)plan;
  grid_product *p = &x->p;
  grid_mxv_block b = {.direct = false};
  double since = grid_product_now();
  GrB_Info info = grid_requests_expand(p, &b.in);
  grid_product_lap(p, &p->stats.expand_ms, &since);
  info = grid_mxv_block_multiply(p, info, &b, &x->t);
  since = grid_product_now();
  info = grid_requests_resolve(p, info, &b.in, &b.mask, &b.y);
  info = grid_mxv_block_fold(p, info, &b, &x->t);
  grid_product_lap(p, &p->stats.fold_ms, &since);
  grid_mxv_block_free(&b);
  return info;
}

const grid_mxv_method grid_mxv_requests = {.method = {.name = "requests",
                                                      .needs_several = true,
                                                      .applies = applies,
                                                      .cost = grid_mxv_pull_cost,
                                                      .run = run},
                                           .pull = true,
                                           .uses_requests = true};
