/* GrB_mxm on one process, row by row on the CPU. A row of the product is a sum of B's rows or,
 * under a mask, dot products with B's columns; the kernel chooses for each row (spmat/cpu/mxm). This file
 * computes the orientations of B that the kernel may need. */
#include "dist/product/mxm/mxm_methods.h"
#include "dist/product/mxm/mxm_stages.h"

static bool applies(const grid_plan *plan) {
  (void)plan;
  return grid_ctx.P == 1;
}

/* Dot products allocate an element for each inner index and thread. That must be in proportion to the
 * entries. */
static bool can_expand_inner_axes(const grid_mxm_call *x) {
  const uint64_t inner = x->A->ncols;
  return grid_index_fits32(inner) && inner / 64 <= x->A->nvals + x->B->nvals + (UINT64_C(1) << 16);
}

/* Sums of rows read B's rows, dot products its columns. B has one of both orientations; the other one is
 * computed only if the product by the first is expected to cost a multiple. Dot products inspect a column for
 * each entry of the mask, sums a row for each entry of A. */
static GrB_Info prepare_orientations(const grid_mxm_call *x, grid_mxm_operand *b) {
  const grid_desc *d = x->d;
  GrB_Matrix B = x->B;
  const double mask = (double)x->mask->nvals / (double)x->C->ncols,
               a = (double)x->A->nvals / (double)(d->tran0 ? x->A->nrows : x->A->ncols);
  GrB_Info info;
  TRY(grid_matrix_require_host(B, 0, x->call));
  if (d->tran1 ? mask > 4 * a : 16 * mask < a) TRY(grid_matrix_require(B, GRID_COLS));
  b->lmat = &B->block, b->columns = d->tran1;
done:
  return info;
}

/* The inner indices of hypersparse blocks have different numberings; dot products of rows need a common one.
 */
static GrB_Info expand_inner_axes(const grid_mxm_call *x, grid_mxm_operand *a, grid_mxm_operand *b) {
  GrB_Info info = grid_mxm_operand_expand(a, a->lmat);
  if (info == GrB_SUCCESS) info = grid_mxm_operand_expand(b, &x->B->block);
  b->columns = true;
  return info;
}

static GrB_Info multiply(const grid_mxm_call *x, grid_local_matrix *t) {
  const grid_desc *d = x->d;
  const bool bounded = x->mask && !d->complement;
  grid_mxm_operand a = {0}, b = {0};
  GrB_Info info;
  TRY(grid_mxm_operand_prepare(x, x->A, d->tran0, &a));
  if (x->mask) TRY(grid_matrix_require_host(x->mask, 0, x->call));
  TRY(grid_matrix_require_host(x->B, 0, x->call)); /* merging pending changes may make the axes hypersparse */
  const bool hypersparse = (a.columns ? a.lmat->row.ids : a.lmat->col.ids) ||
                           (d->tran1 ? x->B->block.col.ids : x->B->block.row.ids),
             expands = hypersparse && !a.columns && grid_mxm_is_dot_cheaper(x) && can_expand_inner_axes(x) &&
                       x->B->block.by_row.idx,
             by_dots = bounded && (!hypersparse || expands);
  TRY(expands   ? expand_inner_axes(x, &a, &b)
      : by_dots ? prepare_orientations(x, &b)
                : grid_mxm_operand_prepare(x, x->B, d->tran1, &b));
  info = grid_mxm_operands_multiply(x, &a, &b, grid_mxm_mask_block(x), true, by_dots, t);
done:
  grid_mxm_operand_free(&a);
  grid_mxm_operand_free(&b);
  return info;
}

static GrB_Info run(grid_plan *plan) {
  return grid_mxm_run_method(plan, multiply);
}

const grid_method grid_mxm_method_local = {.name = "local", .applies = applies, .run = run};
