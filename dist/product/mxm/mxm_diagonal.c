/* GrB_mxm by a diagonal B, or a diagonal A: the other operand with its columns, or rows, scaled. Chunk k of
 * the diagonal lies in block k. On several processes those of a grid column, or row, gather the part of it
 * that the other operand's block meets. On one grid column of one machine that is all of B, which lies once
 * in shared memory, and only the local chunk of A. */
#include <string.h>

#include "dist/matrix/transfer/matrix_gather.h"
#include "dist/product/mxm/diagonal_scaling.h"
#include "dist/product/mxm/mxm_methods.h"
#include "dist/product/mxm/mxm_stages.h"
#include "spmat/cpu/mxm/cpu_mxm.h"
#include "spmat/vector/bitmap_words.h"

/* A diagonal at the indices of the local chunk or, gathered, of the scaled block's columns or rows. */
typedef struct {
  uint64_t n, *bits;
  char *val;
} diagonal;

/* Do the numbers of entries allow that D is diagonal, and is little memory needed for it beside the other
 * operand, `scaled`? */
static bool can_scale(GrB_Matrix D, bool transposed, GrB_Matrix scaled) {
  if (transposed || D->nrows != D->ncols || D->nvals > D->nrows || scaled->nvals == 0) return false;
  return grid_ctx.P == 1 ||
         (grid_index_fits32(grid_block_cols(D->ncols)) && grid_index_fits32(grid_block_rows(D->nrows)) &&
          D->ncols / GRID_HYPER <= scaled->nvals + 1024);
}

static bool can_scale_columns(const grid_mxm_call *x) {
  return can_scale(x->B, x->d->tran0, x->A);
}

static bool can_scale_rows(const grid_mxm_call *x) {
  return can_scale(x->A, x->d->tran1, x->B);
}

static bool applies(const grid_plan *plan) {
  const grid_mxm_call *x = grid_mxm_of(plan);
  return !x->mask && !x->d->complement && x->s->mul->f && !grid_mxm_uses_position(x->s) &&
         (can_scale_columns(x) || can_scale_rows(x));
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
static bool load_local(diagonal *d, GrB_Matrix B) {
  const grid_local_matrix *b = &B->block;
  const size_t size = B->type->size;
  const uint64_t row = grid_chunk_offset(B->nrows, true, grid_ctx.k), n = grid_local_padded_size(B->nrows),
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

/* *m = the part of D's diagonal that `length` rows, or columns, of a block meet, as a matrix. Collective,
 * agreed on. */
static GrB_Info gather(grid_local_matrix *m, GrB_Matrix D, grid_set set, uint64_t length) {
  const uint64_t n = D->nrows;
  diagonal local = {0}, all = {0};
  GrB_Info info = reserve(&local, grid_local_padded_size(n), D->type->size);
  if (info == GrB_SUCCESS) info = reserve(&all, length, D->type->size);
  if (info == GrB_SUCCESS) (void)load_local(&local, D);
  TRY(grid_agree(&D->head, info));
  TRY(grid_gather_chunks(set, n, local.bits, 1, all.bits));
  TRY(grid_gather_chunks(set, n, local.val, 8 * D->type->size, all.val));
  info = grid_agree(&D->head, make_matrix(m, D->type, &all));
done:
  free_diagonal(&local);
  free_diagonal(&all);
  return info;
}

/* *o = the part of D that this process needs. GRID_UNSUPPORTED, on all: D has entries off the diagonal.
 * Collective, agreed on. */
static GrB_Info prepare(grid_mxm_operand *o, const grid_mxm_call *x, bool rows) {
  const GrB_Matrix D = rows ? x->A : x->B;
  GrB_Info info;
  o->lmat = grid_ctx.P == 1 ? &D->block : &o->owned;
  TRY(grid_matrix_require_host(D, 0, x->call));
  if (grid_ctx.P == 1) return grid_is_diagonal(&D->block) ? GrB_SUCCESS : GRID_UNSUPPORTED;
  TRY(grid_agree_supported(&x->C->head, load_local(NULL, D) ? GrB_SUCCESS : GRID_UNSUPPORTED));
  if (!rows) TRY(grid_mxm_operand_share(o, D));
  if (o->borrowed) return info;
  info = rows ? gather(&o->owned, D, GRID_SET_ROW, x->B->block.row.dim)
              : gather(&o->owned, D, GRID_SET_COL, x->A->block.col.dim);
done:
  return info;
}

/* By the kernels for all matrices: the diagonal lacks entries. The inner axis is no list, so that all
 * processes have one numbering of it and multiply without messages. Collective. */
static GrB_Info multiply_any(const grid_mxm_call *x, const grid_mxm_operand *D, bool rows,
                             grid_local_matrix *t) {
  grid_mxm_operand scaled = {0};
  GrB_Info info;
  scaled.lmat = &scaled.expanded.lmat;
  info = grid_lmat_expand_hyper(&scaled.expanded, rows ? &x->B->block : &x->A->block, rows);
  TRY(grid_agree(&x->C->head, info));
  info = grid_mxm_operands_multiply(x, rows ? D : &scaled, rows ? &scaled : D, NULL, true, false, t);
done:
  grid_mxm_operand_free(&scaled);
  return info;
}

/* GRID_UNSUPPORTED, on all: the operand has entries off its diagonal or, on one process or beside a matrix of
 * long axes, lacks one. */
static GrB_Info scale(const grid_mxm_call *x, bool rows, grid_local_matrix *t) {
  const GrB_Matrix M = rows ? x->B : x->A;
  grid_mxm_operand D = {0};
  GrB_Info info;
  TRY(grid_matrix_require_host(M, 0, x->call));
  TRY(prepare(&D, x, rows));
  if (M->block.nvals)
    info = grid_scale_by_diagonal(t, &M->block, D.lmat, x->s->mul, rows);
  else
    grid_lmat_init(t, x->s->mul->z, x->C->block.row.dim, x->C->block.col.dim);
  info = grid_agree_supported(&x->C->head, info);
  if (info != GRID_UNSUPPORTED || grid_ctx.P == 1 || !grid_matrix_has_short_axes(M)) goto done;
  if (t->type) grid_lmat_free(t);
  info = multiply_any(x, &D, rows, t);
done:
  grid_mxm_operand_free(&D);
  return info;
}

static GrB_Info multiply(const grid_mxm_call *x, grid_local_matrix *t) {
  GrB_Info info = can_scale_columns(x) ? scale(x, false, t) : GRID_UNSUPPORTED;
  if (info == GRID_UNSUPPORTED && can_scale_rows(x)) info = scale(x, true, t);
  return info;
}

static GrB_Info run(grid_plan *plan) {
  return grid_mxm_run_method(plan, multiply);
}

const grid_method grid_mxm_method_diagonal = {.name = "diagonal", .applies = applies, .run = run};
