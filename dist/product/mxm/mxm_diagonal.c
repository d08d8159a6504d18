/* GrB_mxm by a diagonal B: A with its columns scaled. Chunk k of the diagonal lies in block k, so on several
 * processes those of a grid column gather the part of it that their columns of A meet. On one grid column of
 * one machine that is all of B, which lies once in shared memory. */
#include <string.h>

#include "dist/matrix/transfer/matrix_gather.h"
#include "dist/product/mxm/diagonal_scaling.h"
#include "dist/product/mxm/mxm_methods.h"
#include "dist/product/mxm/operands/mxm_operand.h"
#include "spmat/vector/bitmap_words.h"

/* B's diagonal at the indices of the own chunk or, gathered, of A's block columns. */
typedef struct {
  uint64_t n, *bits;
  char *val;
} diagonal;

static bool applies(const grid_plan *plan) {
  const grid_mxm_call *x = grid_mxm_of(plan);
  if (!grid_can_be_diagonal(x)) return false;
  return grid_ctx.P == 1 ||
         (grid_index_fits32(grid_block_cols(x->B->ncols)) && x->B->ncols / GRID_HYPER <= x->A->nvals + 1024);
}

static GrB_Info reserve(diagonal *d, uint64_t n, size_t size) {
  *d = (diagonal){n, grid_calloc(grid_words(n), sizeof *d->bits), grid_calloc(n, size)};
  return d->bits && d->val ? GrB_SUCCESS : grid_fail_memory(NULL, "a diagonal", n, size);
}

static void free_diagonal(diagonal *d) {
  grid_free(d->bits);
  grid_free(d->val);
}

/* Are the block's entries on the diagonal? If so, they are stored in d, unless that is NULL. */
static bool load_own(diagonal *d, GrB_Matrix B) {
  const grid_local_matrix *b = &B->block;
  const size_t size = B->type->size;
  const uint64_t row = grid_chunk_offset(B->nrows, true, grid_ctx.k), n = grid_own_padded_size(B->nrows),
                 col = grid_chunk_offset(B->ncols, false, grid_ctx.k);
  for (uint64_t r = 0; r < b->row.n && b->nvals; r++)
    for (uint64_t e = grid_vector_start(&b->by_row, r), end = grid_vector_start(&b->by_row, r + 1); e < end;
         e++) {
      const uint64_t k = grid_axis_id(&b->col, b->by_row.idx[e]) - col;
      if (k >= n || grid_axis_id(&b->row, r) - row != k) return false;
      if (!d) continue;
      d->bits[k >> 6] |= UINT64_C(1) << (k & 63);
      memcpy(d->val + k * size, grid_lmat_value(b, e), size);
    }
  return true;
}

/* m = a square matrix with this diagonal. */
static GrB_Info make_matrix(grid_local_matrix *m, GrB_Type type, const diagonal *d) {
  grid_compressed *c = &m->by_row;
  uint32_t at = 0;
  grid_lmat_init(m, type, d->n, d->n);
  m->row.n = m->col.n = d->n, m->nvals = grid_count_bits(d->bits, grid_words(d->n));
  c->ptr = grid_malloc(d->n + 1, sizeof *c->ptr);
  c->idx = grid_malloc(m->nvals, sizeof *c->idx);
  c->val = grid_malloc(m->nvals, type->size);
  if (!c->ptr || !c->idx || !c->val) return grid_fail_memory(NULL, "a diagonal", d->n, 8 + type->size);
  for (uint64_t k = 0; k < d->n; k++) {
    c->ptr[k] = at;
    if (!grid_bit(d->bits, k)) continue;
    c->idx[at] = (uint32_t)k;
    memcpy((char *)c->val + at++ * type->size, d->val + k * type->size, type->size);
  }
  c->ptr[d->n] = at;
  return GrB_SUCCESS;
}

/* *m = what A's block columns meet of B's diagonal, as a matrix. Collective, agreed on. */
static GrB_Info gather(grid_local_matrix *m, const grid_mxm_call *x) {
  const GrB_Matrix B = x->B;
  const uint64_t n = B->nrows;
  diagonal own = {0}, all = {0};
  GrB_Info info = reserve(&own, grid_own_padded_size(n), B->type->size);
  if (info == GrB_SUCCESS) info = reserve(&all, x->A->block.col.dim, B->type->size);
  if (info == GrB_SUCCESS) (void)load_own(&own, B);
  TRY(grid_agree(&x->C->head, info));
  TRY(grid_gather_chunks(GRID_SET_COL, n, own.bits, 1, all.bits));
  TRY(grid_gather_chunks(GRID_SET_COL, n, own.val, 8 * B->type->size, all.val));
  info = grid_agree(&x->C->head, make_matrix(m, B->type, &all));
done:
  free_diagonal(&own);
  free_diagonal(&all);
  return info;
}

/* *o = all of B, in shared memory, or what A's block columns meet of it. GRID_UNSUPPORTED, on all: B has
 * entries off the diagonal. Collective, agreed on. */
static GrB_Info prepare(grid_mxm_operand *o, const grid_mxm_call *x) {
  GrB_Info info;
  TRY(grid_agree_supported(&x->C->head, load_own(NULL, x->B) ? GrB_SUCCESS : GRID_UNSUPPORTED));
  TRY(grid_mxm_operand_share(o, x->B));
  if (!o->borrowed) info = gather(&o->own, x);
done:
  return info;
}

/* GRID_UNSUPPORTED: B has entries elsewhere, or lacks one. */
static GrB_Info multiply(const grid_mxm_call *x, grid_local_matrix *t) {
  const grid_local_matrix *a = &x->A->block, *b = &x->B->block;
  grid_mxm_operand operand = {0};
  GrB_Info info;
  TRY(grid_matrix_require_host(x->A, 0, x->call));
  TRY(grid_matrix_require_host(x->B, 0, x->call));
  if (grid_ctx.P > 1) {
    TRY(prepare(&operand, x));
    b = &operand.own;
  } else if (!grid_is_diagonal(b)) {
    return GRID_UNSUPPORTED;
  }
  if (a->nvals)
    info = grid_scale_by_diagonal(t, a, b, x->s->mul);
  else
    grid_lmat_init(t, x->s->mul->z, x->C->block.row.dim, x->C->block.col.dim);
  info = grid_agree_supported(&x->C->head, info);
done:
  grid_mxm_operand_free(&operand);
  return info;
}

static GrB_Info run(grid_plan *plan) {
  return grid_mxm_run_method(plan, multiply);
}

const grid_method grid_mxm_method_diagonal = {.name = "diagonal", .applies = applies, .run = run};
