/* The steps of the block's product (mxv.h), and the methods push and pull, which consist of
 * them: expand, mask, local product, fold. */
#include <string.h>

#include "dist/product/exchange/view_order.h"
#include "dist/product/local/local_product_outofcore.h"
#include "dist/product/mxv/mxv_methods.h"

/* Allocates y: t's arrays if the contributions are the result (direct), else arrays of its own. A prefilled t
 * keeps its entries, to which those of y are added. */
static GrB_Info make_output(const grid_product *p, grid_chunk *t, bool direct, grid_output *y) {
  const grid_axis *axis = grid_out_axis(p, &p->A->block);
  *y = (grid_output){0};
  if (direct && p->choice.prefilled) {
    *y = (grid_output){.n = t->n, .found = t->nvals, .bits = t->bits, .val = t->val};
    return GrB_SUCCESS;
  }
  if (direct) {
    GrB_Info info = grid_chunk_reserve_dense(t, p->values.structural);
    if (info != GrB_SUCCESS) return info;
    y->n = t->n;
    y->bits = t->bits;
    y->val = t->val;
  } else {
    size_t size = p->values.structural ? 0 : p->s->mul->z->size;
    y->n = axis->n;
    y->bits = y->owned_bits = grid_malloc(grid_words(y->n), 8);
    y->val = y->owned_val = size ? grid_malloc(y->n, size) : NULL;
    if (!y->bits || (size && !y->val)) return grid_fail_memory(NULL, "outputs of a block", y->n, size);
  }
  if (y->n) memset(y->bits, 0, grid_words(y->n) * 8);
  return GrB_SUCCESS;
}

/* The product of the block, in t if the contributions are the result (direct), else in y. */
static GrB_Info multiply_block(grid_product *p, const grid_input *in, const grid_kernel_mask *mask,
                               bool direct, grid_output *y, grid_chunk *t) {
  const grid_local_matrix *block = &p->A->block;
  const grid_index_map index_map = grid_product_index_map(p, grid_in_axis(p, block));
  GrB_Info info = make_output(p, t, direct, y);
  if (info != GrB_SUCCESS) return info;
  return p->pages ? grid_run_pages(p, in, mask, index_map, y)
                  : grid_run_lmat(p, block, p->transposed, p->choice.pull, in, mask, index_map, y);
}

/* The same by a sparse push: in t if this process owns the outputs, else in the list `sparse`, to which y
 * refers. */
static GrB_Info multiply_sparse(grid_product *p, const grid_input *in, const grid_kernel_mask *mask,
                                grid_output *y, grid_chunk *sparse, grid_chunk *t) {
  const grid_local_matrix *block = &p->A->block;
  const bool is_owner = grid_set_size(p->out.set) == 1;
  grid_chunk_init(sparse, p->s->mul->z, grid_out_axis(p, block)->dim);
  y->sparse = sparse;
  return grid_run_sparse_push(p, in, is_owner ? &p->mask : NULL, mask,
                              grid_product_index_map(p, grid_in_axis(p, block)), is_owner ? t : sparse);
}

/* Does this process own all outputs of its block? */
static bool owns_outputs(const grid_product *p) {
  return grid_set_size(p->out.set) == 1;
}

/* After expand the outcome may differ between processes: it is passed from step to step until they agree. */
GrB_Info grid_mxv_block_multiply(grid_product *p, GrB_Info info, grid_mxv_block *b, grid_chunk *t) {
  double since = grid_product_now();
  b->direct = owns_outputs(p) && !grid_out_axis(p, &p->A->block)->ids;
  b->is_sparse = info == GrB_SUCCESS && grid_is_sparse_push(p, &b->in);
  if (!(b->is_sparse && owns_outputs(p))) info = grid_make_block_mask(p, info, &b->mask);
  grid_product_lap(p, &p->stats.mask_ms, &since);
  if (info == GrB_SUCCESS)
    info = b->is_sparse ? multiply_sparse(p, &b->in, &b->mask, &b->y, &b->sparse, t)
                        : multiply_block(p, &b->in, &b->mask, b->direct, &b->y, t);
  grid_product_lap(p, &p->stats.local_ms, &since);
  return info;
}

GrB_Info grid_mxv_block_fold(grid_product *p, GrB_Info info, grid_mxv_block *b, grid_chunk *t) {
  if (!b->direct && !(b->is_sparse && owns_outputs(p))) info = grid_fold(p, info, &b->y, t);
  if (info == GrB_SUCCESS && b->direct && !b->is_sparse) {
    t->format = GRID_BITMAP;
    t->nvals = b->y.found;
  }
  return info;
}

void grid_mxv_block_free(grid_mxv_block *b) {
  grid_input_free(&b->in);
  grid_free(b->mask.owned);
  grid_free(b->y.owned_bits);
  grid_free(b->y.owned_val);
  grid_chunk_free(&b->sparse);
}

/* ---- the methods ---- */

static GrB_Info run(grid_plan *plan) {
  grid_mxv_call *x = (grid_mxv_call *)plan;
  grid_product *p = &x->p;
  grid_mxv_block b = {.direct = false};
  double since = grid_product_now();
  GrB_Info info = grid_expand(p, &b.in);
  grid_product_lap(p, &p->stats.expand_ms, &since);
  const double start = grid_view_order_begin(p, &b.in);
  info = grid_mxv_block_multiply(p, info, &b, &x->t);
  grid_view_order_end(p, &b.in, start);
  since = grid_product_now();
  info = grid_mxv_block_fold(p, info, &b, &x->t);
  grid_product_lap(p, &p->stats.fold_ms, &since);
  grid_mxv_block_free(&b);
  return info;
}

static bool push_applies(const grid_plan *plan) {
  return grid_mxv_may_push(grid_mxv_product(plan), false);
}

static bool pull_applies(const grid_plan *plan) {
  return grid_mxv_may_pull(grid_mxv_product(plan), false);
}

const grid_mxv_method grid_mxv_push = {
    .method = {.name = "push", .applies = push_applies, .cost = grid_mxv_push_cost, .run = run}};
const grid_mxv_method grid_mxv_pull = {
    .method = {.name = "pull", .applies = pull_applies, .cost = grid_mxv_pull_cost, .run = run},
    .pull = true};
