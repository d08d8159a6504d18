/* A pull ring in which the owner of a row first tries its row hub. */
#include "dist/product/mxv/mxv_methods.h"

#include "dist/product/exchange/pull_ring.h"
#include "dist/product/exchange/row_hubs.h"

static bool applies(const grid_plan *plan) {
  const grid_product *p = grid_mxv_product(plan);
  return grid_mxv_may_pull(p, false) && !p->pages && grid_can_pass_rows(p) && grid_can_try_row_hubs(p);
}

/* Without row hubs (none, too many, or memory was short on some process) it is a pull ring. */
static GrB_Info run(grid_plan *plan) {
  grid_mxv_call *x = (grid_mxv_call *)plan;
  grid_product *p = &x->p;
  const GrB_Matrix A = p->A;
  grid_input in = {0};
  const uint64_t *row_hubs = NULL;
  void *owned = NULL;
  GrB_Info info;
  TRY(grid_row_hubs_make(A, p->transposed));
  p->choice.tries_row_hubs =
      A->cached.row_hubs && A->cached.row_hubs->transposed == p->transposed && A->cached.row_hubs->d > 0;
  double since = grid_product_now();
  info = p->choice.tries_row_hubs ? grid_expand_row_hubs(p, &in, &row_hubs, &owned) : grid_expand(p, &in);
  grid_product_lap(p, &p->stats.expand_ms, &since);
  info = grid_pass_rows(p, info, &in, row_hubs, &x->t);
  grid_product_lap(p, &p->stats.local_ms, &since);
done:
  grid_input_free(&in);
  grid_free(owned);
  return info;
}

const grid_mxv_method grid_mxv_row_hubs = {.method = {.name = "row-hubs",
                                                      .needs_several = true,
                                                      .applies = applies,
                                                      .cost = grid_mxv_pull_cost,
                                                      .run = run},
                                           .pull = true,
                                           .passes_rows = true};
