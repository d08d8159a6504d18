/* GrB_mxm without stages. On a grid of one column A's block has all inner indices. So each process gets the
 * rows of B that these refer to, or all of B, and computes its rows of C. Where B is transposed, its rows
 * serve as the columns for dot products; for these, rows are gathered on other grids, too. */
#include "dist/matrix/transfer/matrix_gather.h"
#include "dist/matrix/transfer/matrix_route.h"
#include "dist/product/mxm/mxm_methods.h"
#include "dist/product/mxm/mxm_hub_bits.h"
#include "dist/product/mxm/mxm_stages.h"
#include "dist/product/mxm/operands/mxm_whole_rows.h"
#include "semiring/support/tuning.h"
#include "spmat/cpu/mxm/cpu_mxm.h"

static bool applies_to_column(const grid_mxm_call *x) {
  const GrB_Matrix B = x->B;
  const bool transposed = x->d->tran1;
  const uint64_t bytes = B->nvals * (B->type->size + sizeof(uint32_t));
  return bytes <= grid_tune.stage_bytes && (!transposed || grid_mxm_is_dot_cheaper(x)) &&
         grid_index_fits32(grid_block_cols(transposed ? B->ncols : B->nrows)) &&
         x->A->nvals < grid_tune.offsets64_from;
}

static bool applies(const grid_plan *plan) {
  const grid_mxm_call *x = grid_mxm_of(plan);
  if (grid_ctx.P == 1 || grid_mxm_uses_position(x->s)) return false;
  if (grid_ctx.C == 1) return applies_to_column(x);
  return !x->d->tran0 && grid_mxm_is_dot_cheaper(x) && grid_mxm_can_gather_rows(x);
}

/* Does it pay to fetch single rows of B? Not if B is hypersparse, nor if all of its rows are full: kernels
 * use that only if they have all rows. */
static bool can_fetch_rows(const grid_mxm_call *x) {
  const GrB_Matrix B = x->B;
  return !x->d->tran1 && grid_matrix_has_short_axes(B) && B->nvals < B->nrows * B->ncols;
}

/* In shared memory each process writes its own rows of B and reads any, so that fetching pays only for a
 * small share of them. */
enum { SHARED_ROWS = 16 };
static bool is_sharing_faster(const grid_mxm_call *x) {
  return x->d->tran1 || x->A->nvals >= x->B->nrows / SHARED_ROWS;
}

/* *b = all of B, or the rows of it that A's columns refer to. GRID_UNSUPPORTED, on all processes: B's rows
 * cannot be concatenated. Collective, agreed on. */
static GrB_Info replicate(const grid_mxm_call *x, grid_mxm_operand *a, grid_mxm_operand *b) {
  bool whole = false;
  GrB_Info info = GrB_SUCCESS;
  if (is_sharing_faster(x)) TRY(grid_mxm_operand_share(b, x->B));
  whole = b->borrowed;
  if (!whole && can_fetch_rows(x)) TRY(grid_matrix_fetch_rows(&b->owned, x->B, a->lmat, &whole));
  if (!whole) TRY(grid_matrix_gather_rows(&b->owned, x->B, &whole));
  if (!whole) return GRID_UNSUPPORTED;
  b->lmat = &b->owned, b->columns = x->d->tran1;
  info = grid_agree(&x->C->head, grid_mxm_operand_expand(a, a->lmat));
done:
  return info;
}

static GrB_Info multiply(const grid_mxm_call *x, grid_local_matrix *t) {
  grid_mxm_operand a = {0}, b = {0};
  bool finished = false;
  GrB_Info info;
  TRY(grid_mxm_operand_prepare(x, x->A, x->d->tran0, &a));
  if (x->mask) TRY(grid_matrix_require_host(x->mask, 0, x->call));
  TRY(grid_matrix_require_host(x->B, 0, x->call));
  TRY(grid_ctx.C == 1 ? replicate(x, &a, &b) : grid_mxm_gather_rows(x, &a, &b));
  if (x->d->tran1) TRY(grid_mxm_try_hub_bits(x, &a, &b, t, &finished));
  if (!finished) info = grid_mxm_operands_multiply(x, &a, &b, grid_mxm_mask_block(x), true, x->d->tran1, t);
done:
  grid_mxm_operand_free(&a);
  grid_mxm_operand_free(&b);
  return info;
}

static GrB_Info run(grid_plan *plan) {
  return grid_mxm_run_method(plan, multiply);
}

const grid_method grid_mxm_method_replicated = {.name = "replicated", .applies = applies, .run = run};
