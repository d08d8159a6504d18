/* GrB_mxm of matrices in pages that do not fit memory together. A row panel of C is a row
 * panel of A times B. If B is in pages that do not fit either, the panel is multiplied by one row panel of B
 * after the other, and the products are added. */
#include "dist/outofcore/operations/outofcore_run.h"
#include "dist/product/mxm/mxm.h"
#include "dist/product/mxm/mxm_methods.h"

typedef struct {
  const grid_mxm_call *x;
  const grid_slices *s;
  GrB_Matrix T; /* the sum of the products with B's panels so far, under the mask */
  bool begun;   /* T has the product with at least one panel of B */
} out_of_core_product;

static GrB_Info add_slice(void *context, GrB_Matrix B) {
  out_of_core_product *y = context;
  const GrB_BinaryOp add = y->begun ? y->x->s->add->op : NULL;
  y->begun = true;
  return grid_mxm_untraced(y->T, y->s->mask, add, y->x->s, y->s->A, B, y->s->desc);
}

static GrB_Info multiply_slice(void *context, const grid_slices *s) {
  out_of_core_product y = *(const out_of_core_product *)context;
  const grid_desc *d = y.x->d;
  grid_local_matrix t;
  GrB_Info info;
  y.s = s;
  TRY(GrB_Matrix_new(&y.T, y.x->s->add->op->z, s->C->nrows, s->C->ncols));
  TRY(s->B->pages ? grid_slices_of(s->B, s->A, s->desc->tran1, UINT64_MAX, add_slice, &y)
                  : add_slice(&y, s->B));
  TRY(grid_matrix_require(y.T, GRID_HOST));
  t = y.T->block;
  grid_lmat_init(&y.T->block, t.type, t.row.dim, t.col.dim);
  info = grid_finish_matrix(s->C, s->mask, y.x->accum, d, &t, s->mask != NULL, info);
done:
  GrB_Matrix_free(&y.T);
  return info;
}

/* Whether a matrix is in pages and memory is short for all is decided by run, since pending changes are
 * merged first, which may fail. */
static bool applies(const grid_plan *plan) {
  (void)plan;
  return true;
}

static GrB_Info run(grid_plan *plan) {
  const grid_mxm_call *x = grid_mxm_of(plan);
  const grid_desc *d = x->d;
  const bool is_masked = x->mask && !d->complement; /* the mask's rows bound the result */
  bool needed;
  out_of_core_product y = {.x = x};
  grid_out_of_core all = {.C = x->C,
                          .mask = x->mask,
                          .A = x->A,
                          .B = x->B,
                          .accum = x->accum,
                          .d = d,
                          .is_b_replicated = true,
                          .is_product = true,
                          .product_entry = is_masked ? 0 : sizeof(uint32_t) + x->s->add->op->z->size,
                          .run = multiply_slice,
                          .context = &y};
  const GrB_Info info = grid_out_of_core_needed(&all, &needed);
  if (info != GrB_SUCCESS) return info;
  return needed ? grid_out_of_core_run(&all) : GRID_UNSUPPORTED;
}

const grid_method grid_mxm_method_outofcore = {.name = "outofcore", .applies = applies, .run = run};
