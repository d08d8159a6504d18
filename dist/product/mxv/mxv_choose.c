/* The methods of GrB_mxv, and the choice among them by counted work. */
#include "dist/plan/push_pull.h"
#include "dist/product/local/local_product_outofcore.h"
#include "dist/product/mxv/mxv_methods.h"

/* Of methods with the same cost the first is chosen. There are two costs, of a push and of a pull, so this
 * order says which push and which pull is preferred if several apply. */
static const grid_method *const rows[] = {
    &grid_mxv_push_messages.method, &grid_mxv_push.method,        &grid_mxv_row_hubs.method,
    &grid_mxv_pull_ring.method,     &grid_mxv_requests.method,    &grid_mxv_pull.method,
    &grid_mxv_device_push.method,   &grid_mxv_device_pull.method,
};
const grid_method_table grid_mxv_methods = {"mxv", rows, sizeof rows / sizeof rows[0]};

double grid_mxv_push_cost(const grid_plan *plan) {
  return grid_push_cost(grid_mxv_product(plan));
}

double grid_mxv_pull_cost(const grid_plan *plan) {
  return grid_pull_cost(grid_mxv_product(plan));
}

static bool has_direction(const grid_product *p, bool pull, bool device) {
  const GrB_Matrix A = p->A;
  if (device != (p->where == GRID_ON_DEVICE)) return false;
  if (p->pages && !A->properties.symmetric) return pull == !p->transposed; /* pages have rows only */
  /* operators on indices are not supported in a push of pages on several processes */
  if (A->block.host_resident && grid_ctx.P > 1 && !p->s->mul->f) return pull;
  return A->hints.direction == Grid_DIRECTION_AUTO || pull == (A->hints.direction == Grid_DIRECTION_PULL);
}

bool grid_mxv_may_push(const grid_product *p, bool device) {
  return has_direction(p, false, device);
}

bool grid_mxv_may_pull(const grid_product *p, bool device) {
  return has_direction(p, true, device);
}

void grid_mxv_choose(grid_mxv_call *x) {
  grid_product *p = &x->p;
  grid_find_structural(p);
  p->stats.push_work = p->n.edges;
  if (grid_is_tracing()) p->stats.pull_work = (uint64_t)grid_pull_cost(p);
  x->plan.chosen = grid_method_choose(&grid_mxv_methods, &x->plan);
  const grid_mxv_method *m = (const grid_mxv_method *)x->plan.chosen;
  p->choice.pull = m->pull;
  p->choice.passes_rows = m->passes_rows;
  p->choice.pushes_rows = m->pushes_rows;
  p->choice.uses_requests = m->uses_requests;
  if (p->pages) grid_paged_direction(p);
  grid_choose_mask_spread(p);
}
