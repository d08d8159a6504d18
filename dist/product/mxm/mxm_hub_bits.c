/* C<M> = A B' over PLUS.ONEB with a structural mask, as triangles, trusses and clustering need it: common
 * neighbors that are hubs are counted by AND and popcount (spmat/cpu/mxm/mxm_hub_bits.h). A sample of the
 * entries says whether that pays. A method of GrB_mxm on one process, a step of `replicated` on several. */
#include "dist/product/mxm/mxm_hub_bits.h"

#include "dist/product/mxm/mxm_methods.h"
#include "spmat/convert/lmat_format.h"
#include "spmat/cpu/mxm/mxm_hub_bits.h"
#include "spmat/lmat_ops.h"

/* Does C need nothing but numbers of common neighbors? */
static bool counts_neighbors(const grid_mxm_call *x) {
  const grid_desc *d = x->d;
  return grid_semiring_counts(x->s) && x->mask && d->structure && !d->complement && d->tran1 && !d->tran0;
}

static bool is_plain(const grid_local_matrix *m) {
  return !m->row.ids && !m->col.ids && !m->device && grid_compressed_is_built(&m->by_row);
}

static grid_hub_product product_of(const grid_local_matrix *a, const grid_local_matrix *b,
                                   const grid_local_matrix *mask) {
  return (grid_hub_product){.a = &a->by_row,
                            .b = &b->by_row,
                            .mask = &mask->by_row,
                            .rows = mask->row.n,
                            .n = b->row.n,
                            .inner = a->col.n};
}

static bool bits_pay(const grid_mxm_call *x, const grid_hub_product *p) {
  return x->plan.forced == &grid_mxm_method_hub_bits || grid_hub_bits_pay(p);
}

static GrB_Info count_neighbors(const grid_mxm_call *x, const grid_hub_product *p, grid_local_matrix *t) {
  grid_lmat_init(t, x->s->add->op->z, p->rows, p->n);
  t->row.n = p->rows, t->col.n = p->n;
  const GrB_Info info = grid_hub_multiply(p, x->s->add->op->z, &t->by_row, &t->nvals);
  return info == GrB_SUCCESS ? grid_lmat_choose_format(t) : info;
}

GrB_Info grid_mxm_try_hub_bits(const grid_mxm_call *x, const grid_local_matrix *a, const grid_local_matrix *b,
                               grid_local_matrix *t, bool *done) {
  *done = false;
  if (!counts_neighbors(x)) return GrB_SUCCESS;
  const grid_local_matrix *mask = &x->mask->block;
  const grid_hub_product p = product_of(a, b, mask);
  const bool plain = is_plain(a) && is_plain(b) && is_plain(mask);
  const uint64_t wins = plain && mask->nvals && bits_pay(x, &p) ? mask->nvals : 0;
  uint64_t v[] = {wins, !plain};
  GrB_Info info = grid_agree_sum(&x->C->head, GrB_SUCCESS, v, 2);
  *done = info == GrB_SUCCESS && v[1] == 0 && 2 * v[0] > x->mask->nvals;
  return *done ? count_neighbors(x, &p, t) : info;
}

static bool applies(const grid_plan *plan) {
  return grid_ctx.P == 1 && counts_neighbors(grid_mxm_of(plan));
}

static GrB_Info multiply(const grid_mxm_call *x, grid_local_matrix *t) {
  const grid_local_matrix *a = &x->A->block, *b = &x->B->block, *mask = &x->mask->block;
  GrB_Info info;
  TRY(grid_matrix_require_host(x->A, 0, x->call));
  TRY(grid_matrix_require_host(x->B, 0, x->call));
  TRY(grid_matrix_require_host(x->mask, 0, x->call));
  if (!is_plain(a) || !is_plain(b) || !is_plain(mask)) return GRID_UNSUPPORTED;
  const grid_hub_product p = product_of(a, b, mask);
  if (!bits_pay(x, &p)) return GRID_UNSUPPORTED;
  info = count_neighbors(x, &p, t);
done:
  return info;
}

static GrB_Info run(grid_plan *plan) {
  return grid_mxm_run_method(plan, multiply);
}

const grid_method grid_mxm_method_hub_bits = {.name = "hub-bits", .applies = applies, .run = run};
