/* A pull whose rows pass along the processes that share them, until one finds a hit. */
#include "dist/product/mxv/mxv_methods.h"

#include "dist/product/exchange/pull_ring.h"

static bool applies(const grid_plan *plan) {
  const grid_product *p = grid_mxv_product(plan);
  return grid_mxv_may_pull(p, false) && !p->pages && grid_can_pass_rows(p);
}

static GrB_Info run(grid_plan *plan) {
  grid_mxv_call *x = (grid_mxv_call *)plan;
  grid_product *p = &x->p;
  grid_input in = {0};
  double since = grid_product_now();
  GrB_Info info = grid_expand(p, &in);
  grid_product_lap(p, &p->stats.expand_ms, &since);
  info = grid_pass_rows(p, info, &in, NULL, &x->t);
  grid_product_lap(p, &p->stats.local_ms, &since);
  grid_input_free(&in);
  return info;
}

const grid_mxv_method grid_mxv_pull_ring = {.method = {.name = "pull-ring",
                                                       .needs_several = true,
                                                       .applies = applies,
                                                       .cost = grid_mxv_pull_cost,
                                                       .run = run},
                                            .pull = true,
                                            .passes_rows = true};
