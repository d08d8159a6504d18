/* GrB_mxm on one process, C<M> = A B' over PLUS.ONEB with a structural mask, as triangles,
 * trusses and clustering need it: common neighbors that are hubs are counted by AND and popcount
 * (spmat/cpu/mxm/mxm_hub_bits.h). A sample of the entries says whether that pays. */
#include "dist/product/mxm/mxm.h"
#include "dist/product/mxm/mxm_methods.h"
#include "spmat/convert/lmat_format.h"
#include "spmat/cpu/mxm/mxm_hub_bits.h"
#include "spmat/lmat_ops.h"

static bool applies(const grid_plan *plan) {
  const grid_mxm_call *x = grid_mxm_of(plan);
  const grid_desc *d = x->d;
  return grid_ctx.P == 1 && grid_semiring_counts(x->s) && x->mask && d->structure && !d->complement &&
         d->tran1 && !d->tran0;
}

static bool is_plain(const GrB_Matrix M) {
  return !M->block.row.ids && !M->block.col.ids && !M->block.device &&
         grid_compressed_is_built(&M->block.by_row);
}

static GrB_Info multiply(const grid_mxm_call *x, grid_local_matrix *t) {
  GrB_Info info;
  TRY(grid_matrix_require_host(x->A, 0, x->call));
  TRY(grid_matrix_require_host(x->B, 0, x->call));
  TRY(grid_matrix_require_host(x->mask, 0, x->call));
  if (!is_plain(x->A) || !is_plain(x->B) || !is_plain(x->mask)) return GRID_UNSUPPORTED;
  const grid_hub_product p = {.a = &x->A->block.by_row,
                              .b = &x->B->block.by_row,
                              .mask = &x->mask->block.by_row,
                              .rows = x->mask->block.row.n,
                              .n = x->B->block.row.n,
                              .inner = x->A->block.col.n};
  if (x->plan.forced != &grid_mxm_method_hub_bits && !grid_hub_bits_pay(&p)) return GRID_UNSUPPORTED;
  grid_lmat_init(t, x->s->add->op->z, p.rows, p.n);
  t->row.n = p.rows, t->col.n = p.n;
  TRY(grid_hub_multiply(&p, x->s->add->op->z, &t->by_row, &t->nvals));
  info = grid_lmat_choose_format(t);
done:
  return info;
}

static GrB_Info run(grid_plan *plan) {
  return grid_mxm_run_method(plan, multiply);
}

const grid_method grid_mxm_method_hub_bits = {.name = "hub-bits", .applies = applies, .run = run};
