/* GrB_mxm: check -> transposes -> stages -> write back (specification 4.3.1; docs/design.md, "A product of
 * matrices"). */
#include "dist/object/burble.h"
#include "dist/matrix/transfer/matrix_gather.h"
#include "dist/matrix/matrix_output.h"
#include "dist/matrix/transfer/matrix_route.h"
#include "dist/product/mxm/mxm_bitmap.h"
#include "dist/product/mxm/mxm_diagonal.h"
#include "dist/product/mxm/mxm_tall.h"
#include "dist/product/mxm/mxm_gather_operands.h"
#include "dist/outofcore/operations/outofcore_run.h"
#include "dist/product/mxm/mxm_stages.h"
#include "semiring/support/tuning.h"
#include "spmat/lmat_ops.h"
#include "spmat/convert/lmat_format.h"
#include "spmat/device/device.h"

static const char call[] = "GrB_mxm";

typedef struct {
  GrB_Matrix C, mask, A, B;
  GrB_BinaryOp accum;
  GrB_Semiring s;
} arguments;

/* ---- check ---- */

static GrB_Info check_operand(const arguments *x, GrB_Matrix M, const char *what, bool used, GrB_Type want) {
  if (!used || grid_compatible(want, M->type)) return GrB_SUCCESS;
  return grid_fail(&x->C->head, GrB_DOMAIN_MISMATCH, "%s: %s has type %s, which %s cannot take as %s", call,
                   what, M->type->name, x->s->mul->name, want->name);
}

static GrB_Info check(const arguments *x, GrB_Descriptor desc, grid_desc *d) {
  GrB_Info info;
  TRY(grid_check_matrix(x->C, call, "C"));
  grid_head *head = &x->C->head;
  TRY(grid_check_object(x->s, head, call, "op"));
  TRY(grid_check_object(x->A, head, call, "A"));
  TRY(grid_check_object(x->B, head, call, "B"));
  TRY(grid_check_matrix_output(x->C, x->mask, x->accum, desc, x->s->add->op->z, call, d));
  const uint64_t m = d->tran0 ? x->A->ncols : x->A->nrows, l = d->tran0 ? x->A->nrows : x->A->ncols,
                 k = d->tran1 ? x->B->ncols : x->B->nrows, n = d->tran1 ? x->B->nrows : x->B->ncols;
  if (l != k || x->C->nrows != m || x->C->ncols != n)
    return grid_fail(head, GrB_DIMENSION_MISMATCH, "%s: C is %llu x %llu, %s %llu x %llu and %s %llu x %llu",
                     call, (unsigned long long)x->C->nrows, (unsigned long long)x->C->ncols,
                     d->tran0 ? "A transposed" : "A", (unsigned long long)m, (unsigned long long)l,
                     d->tran1 ? "B transposed" : "B", (unsigned long long)k, (unsigned long long)n);
  TRY(check_operand(x, x->A, "A", x->s->mul->uses_x, x->s->mul->x));
  info = check_operand(x, x->B, "B", x->s->mul->uses_y, x->s->mul->y);
done:
  return info;
}

/* ---- operands ---- */

/* An operand as the stages want it: its block, by rows or columns, or its transpose's. */
typedef struct {
  grid_local_matrix own; /* a transpose that was made for this */
  grid_expanded_lmat plain;
  const grid_local_matrix *lmat;
  bool columns;
} operand;

/* A view of an operand is made when both are ready: A may be B, and what is done for the one changes it. */
static grid_rows operand_rows(const operand *o, bool values) {
  return grid_rows_of(o->lmat, o->columns, values);
}

static GrB_Info prepare_operand(GrB_Matrix M, bool transposed, operand *o) {
  GrB_Matrix like = NULL;
  GrB_Info info;
  TRY(grid_matrix_require_host(M, 0, call));
  if (grid_ctx.P == 1 || !transposed) {
    o->lmat = &M->block, o->columns = transposed;
    return transposed ? grid_matrix_require(M, GRID_COLS) : GrB_SUCCESS;
  }
  TRY(GrB_Matrix_new(&like, M->type, M->ncols, M->nrows));
  TRY(grid_matrix_transposed(M, like, &o->own, false, call));
  o->lmat = &o->own;
done:
  GrB_Matrix_free(&like);
  return info;
}

/* Are dot products with B's own rows what is expected to cost least, under a mask that has few entries for
 * each of A's? */
static bool is_dot_cheaper(const arguments *x, const grid_desc *d) {
  return d->tran1 && x->mask && !d->complement &&
         x->mask->nvals / x->C->ncols <= 4 * (x->A->nvals / (d->tran0 ? x->A->nrows : x->A->ncols) + 1);
}

/* All of B, or all rows that its product can want, on each of several processes, where they stand in one
 * column of the grid, A's block has all inner indices, and there is room for so much: then each multiplies
 * for itself. B's own rows serve as the columns of its transpose, under a mask that is expected to have few
 * entries for each of A's. *whole: so it was. Collective, agreed on. */
static GrB_Info prepare_whole(const arguments *x, const grid_desc *d, operand *a, operand *b, bool *whole) {
  GrB_Matrix B = x->B;
  const uint64_t bytes = B->nvals * (B->type->size + sizeof(uint32_t));
  const bool dots = is_dot_cheaper(x, d);
  const uint64_t inner = grid_block_cols(d->tran1 ? B->ncols : B->nrows);
  GrB_Info info = GrB_SUCCESS;
  *whole = false;
  if (grid_ctx.P == 1 || grid_ctx.C > 1 || bytes > grid_tune.stage_bytes || (d->tran1 && !dots)) return info;
  if (grid_mxm_uses_position(x->s) || inner > UINT32_MAX || x->A->nvals >= grid_tune.offsets64_from)
    return info;
  const uint64_t longer = B->nrows > B->ncols ? B->nrows : B->ncols;
  /* nor lists; and where all rows are full, kernels know that of all alone */
  if (!d->tran1 && longer <= UINT32_MAX / 2 && longer / GRID_HYPER <= B->nvals + 1024 &&
      B->nvals < B->nrows * B->ncols)
    TRY(grid_matrix_fetch_rows(&b->own, B, a->lmat, whole));
  if (!*whole) TRY(grid_matrix_gather_rows(&b->own, B, whole));
  if (!*whole) return info;
  b->lmat = &b->own, b->columns = d->tran1;
  TRY(grid_agree(&x->C->head, grid_lmat_expand_hyper(&a->plain, a->lmat, false)));
  a->lmat = &a->plain.lmat;
done:
  return info;
}

/* B on one process under a mask that allows what it has: dot products want its columns, sums of rows its
 * rows. What is not there yet is only made where the other is expected to cost a multiple: an entry of the
 * mask a column's length, an entry of A a row's. */
static GrB_Info prepare_operands(const arguments *x, const grid_desc *d, operand *b) {
  GrB_Matrix B = x->B;
  const double mask = (double)x->mask->nvals / (double)x->C->ncols,
               a = (double)x->A->nvals / (double)(d->tran0 ? x->A->nrows : x->A->ncols);
  GrB_Info info;
  TRY(grid_matrix_require_host(B, 0, call));
  if (d->tran1 ? mask > 4 * a : 16 * mask < a) TRY(grid_matrix_require(B, GRID_COLS));
  b->lmat = &B->block, b->columns = d->tran1;
done:
  return info;
}

/* Blocks that list their columns, as slices may, have inner indices of their own: they are numbered alike for
 * dot products with B's own rows, which are wanted. */
static GrB_Info take_renumbered(const arguments *x, operand *a, operand *b) {
  GrB_Info info = grid_lmat_expand_hyper(&a->plain, a->lmat, false);
  if (info == GrB_SUCCESS) info = grid_lmat_expand_hyper(&b->plain, &x->B->block, false);
  a->lmat = &a->plain.lmat;
  b->lmat = &b->plain.lmat, b->columns = true;
  return info;
}

/* May B be diagonal? */
static bool can_be_diagonal(const arguments *x, const grid_desc *d) {
  return !x->mask && !d->complement && !d->tran0 && x->s->mul->f && x->B->nvals <= x->B->nrows &&
         x->B->nrows == x->B->ncols && x->A->nvals > 0;
}

/* *done: *t is the product of A and a diagonal B, on one process. */
static GrB_Info scale(const arguments *x, const grid_desc *d, grid_local_matrix *t, bool *done) {
  GrB_Info info = GrB_SUCCESS;
  *done = false;
  if (grid_ctx.P > 1 || !can_be_diagonal(x, d)) return info;
  TRY(grid_matrix_require_host(x->A, 0, call));
  TRY(grid_matrix_require_host(x->B, 0, call));
  if (!grid_is_diagonal_scaling(&x->A->block, &x->B->block)) return info;
  *done = true;
  info = grid_scale_by_diagonal(t, &x->A->block, &x->B->block, x->s->mul);
done:
  return info;
}

/* The same on several processes, each of which has what it wants of B. Agreed on. */
static GrB_Info scale_replicated(const arguments *x, const operand *a, const operand *b, grid_local_matrix *t,
                                 bool *done) {
  uint64_t other = a->lmat->nvals > 0 && !grid_is_diagonal_scaling(a->lmat, b->lmat);
  GrB_Info info = grid_agree_sum(&x->C->head, GrB_SUCCESS, &other, 1);
  *done = other == 0;
  if (info != GrB_SUCCESS || !*done) return info;
  if (a->lmat->nvals > 0) {
    TRY(grid_scale_by_diagonal(t, a->lmat, b->lmat, x->s->mul));
    info = grid_lmat_choose_format(t);
  } else {
    grid_lmat_init(t, x->s->add->op->z, x->C->block.row.dim, x->C->block.col.dim);
  }
done:
  return info;
}

/* ---- on the device ---- */

/* Is every product the same value, *constant of 16 bytes, and a sum of such values that value again? */
static bool is_constant(const arguments *x, const grid_local_matrix *a, const grid_local_matrix *b,
                        void *constant) {
  const GrB_BinaryOp mul = x->s->mul;
  uint64_t u[2] = {0}, v[2] = {0};
  if (!mul->f || !(x->s->add->any || x->s->add->idempotent) || mul->z->size > 16) return false;
  if ((mul->uses_x && !a->iso) || (mul->uses_y && !b->iso)) return false;
  if (mul->x->size > sizeof u || mul->y->size > sizeof v) return false;
  if (mul->uses_x) grid_cast_array(u, mul->x, a->iso_val, a->type, 1, 1);
  if (mul->uses_y) grid_cast_array(v, mul->y, b->iso_val, b->type, 1, 1);
  mul->f(constant, u, v);
  return true;
}

/* Can it be multiplied there? It goes there then; on one process a hypersparse block is copied
 * (take_to_device).
 */
static GrB_Info stage_operands(GrB_Matrix M, bool *can) {
  const grid_local_matrix *p = &M->block;
  const bool hypersparse = p->row.ids || p->col.ids;
  GrB_Info info = GrB_SUCCESS;
  *can = *can && p->type->size <= GRID_DEVICE_VALUE_MAX && (!hypersparse || grid_ctx.P == 1);
  if (*can && !hypersparse) info = grid_matrix_to_device(M);
  *can = *can && (hypersparse || p->device);
  return info;
}

/* Parts that lie on the device: A's block, B's, or all of B, and the mask's, which may be NULL. */
static GrB_Info multiply_lmats(const arguments *x, const grid_desc *d, const grid_local_matrix *a,
                               const grid_local_matrix *b, const grid_local_matrix *mask,
                               grid_local_matrix *t) {
  const bool bounded = x->mask && !d->complement;
  const grid_local_matrix *m = mask && mask->nvals ? mask : NULL;
  char constant[16];
  if (a->nvals == 0 || b->nvals == 0 || (bounded && !m)) return GrB_SUCCESS;
  const grid_lmat_product p = {.s = x->s,
                               .a_type = a->type,
                               .b_type = b->type,
                               .a = d->tran0 ? &a->by_col : &a->by_row,
                               .b = !d->tran1                              ? &b->by_row
                                    : grid_compressed_is_built(&b->by_col) ? &b->by_col
                                                                           : NULL,
                               .bt = !bounded   ? NULL
                                     : d->tran1 ? &b->by_row
                                                : &b->by_col,
                               .rows = d->tran0 ? a->col.n : a->row.n,
                               .inner = d->tran0 ? a->row.n : a->col.n,
                               .n = d->tran1 ? b->row.n : b->col.n,
                               .a_nvals = a->nvals,
                               .b_nvals = b->nvals,
                               .a_iso = a->iso ? a->iso_val : NULL,
                               .b_iso = b->iso ? b->iso_val : NULL,
                               .mask = m,
                               .structure = d->structure,
                               .mask_complement = d->complement,
                               .constant = is_constant(x, a, b, constant) ? constant : NULL};
  return grid_lmat_multiply(t, &p);
}

/* *done: A is a diagonal, which wants of B what each process has. Agreed on; else *t is empty again. */
static GrB_Info scale_rows_local(const arguments *x, const grid_desc *d, grid_local_matrix *t, bool *done) {
  const grid_local_matrix *a = &x->A->block, *b = &x->B->block;
  char constant[16];
  GrB_Info info = GrB_SUCCESS;
  *done = false;
  if (x->mask || d->complement || d->tran0 || d->tran1 || x->A->nrows != x->A->ncols ||
      x->A->nvals > x->A->nrows)
    return info;
  if (a->nvals > 0 && b->nvals > 0) {
    const grid_lmat_product p = {.s = x->s,
                                 .a_type = a->type,
                                 .b_type = b->type,
                                 .a = &a->by_row,
                                 .b = &b->by_row,
                                 .rows = a->row.n,
                                 .inner = b->row.n,
                                 .n = b->col.n,
                                 .a_nvals = a->nvals,
                                 .b_nvals = b->nvals,
                                 .a_iso = a->iso ? a->iso_val : NULL,
                                 .b_iso = b->iso ? b->iso_val : NULL,
                                 .constant = is_constant(x, a, b, constant) ? constant : NULL,
                                 .b_rows_restricted = true,
                                 .first = grid_chunk_offset(x->A->ncols, false, grid_ctx.k)};
    info = grid_lmat_multiply(t, &p);
  } else if (a->nvals > 0 || b->nvals > 0) {
    info = GRID_UNSUPPORTED; /* which entries a has is not looked at */
  }
  if (info == GrB_OUT_OF_MEMORY) info = GRID_UNSUPPORTED;
  info = grid_agree_supported(&x->C->head, info);
  *done = info == GrB_SUCCESS;
  if (*done) return info;
  grid_lmat_free(t);
  grid_lmat_init(t, x->s->add->op->z, x->C->block.row.dim, x->C->block.col.dim);
  return info == GRID_UNSUPPORTED ? GrB_SUCCESS : info;
}

/* A block as the device wants it, with its columns beside its rows. */
static GrB_Info take_to_device(grid_device_operand *l, GrB_Matrix M, bool cols) {
  GrB_Info info = grid_lmat_operand_to_device(l, &M->block, false);
  if (info != GrB_SUCCESS || !cols) return info;
  return l->p == &l->copy ? grid_lmat_add_cols(&l->copy, M->properties.symmetric, false)
                          : grid_matrix_require(M, GRID_COLS);
}

/* Columns for which there was no room have taken a block back to the host. */
static bool is_on_device(const grid_device_operand *l) {
  return !l->p || l->p->nvals == 0 || l->p->device;
}

/* On one process. */
static GrB_Info multiply_single_process(const arguments *x, const grid_desc *d, grid_local_matrix *t) {
  const uint64_t refusals = grid_device_oom_count();
  const bool bounded = x->mask && !d->complement;
  grid_device_operand a = {0}, b = {0}, mask = {0};
  GrB_Info info;
  TRY(take_to_device(&a, x->A, d->tran0));
  TRY(take_to_device(&b, x->B, d->tran1 || bounded));
  if (x->mask && x->mask->nvals) TRY(take_to_device(&mask, x->mask, false));
  if (!is_on_device(&a) || !is_on_device(&b) || !is_on_device(&mask)) TRY(GRID_UNSUPPORTED);
  info = multiply_lmats(x, d, a.p, b.p, mask.p, t);
done:
  info = grid_device_oom_to_unsupported(info, refusals);
  grid_device_operand_free(&a);
  grid_device_operand_free(&b);
  grid_device_operand_free(&mask);
  return info;
}

/* On several processes that stand in one column each multiplies its rows of A by all of B; what a transpose
 * of B is wanted for is made there, but not where its own rows are the columns that dots want. */
static GrB_Info multiply_gathered(const arguments *x, const grid_desc *d, bool can, GrB_Info info,
                                  grid_local_matrix *t) {
  const bool bounded = x->mask && !d->complement;
  grid_local_matrix b = {0};
  if (info == GrB_SUCCESS && !can) info = GRID_UNSUPPORTED;
  bool scaled;
  TRY(grid_agree_supported(&x->C->head, info));
  TRY(scale_rows_local(x, d, t, &scaled));
  if (scaled) return info;
  TRY(grid_matrix_gather_rows_device(&b, x->B));
  if ((d->tran1 || bounded) && !is_dot_cheaper(x, d))
    info = grid_lmat_add_cols(&b, x->B->properties.symmetric, false);
  if (info == GrB_SUCCESS) info = multiply_lmats(x, d, &x->A->block, &b, x->mask ? &x->mask->block : NULL, t);
  if (info == GrB_OUT_OF_MEMORY) info = GRID_UNSUPPORTED; /* less is wanted at once on the host */
  TRY(grid_agree_supported(&x->C->head, info));
done:
  if (b.type) grid_lmat_free(&b);
  if (info != GrB_SUCCESS) grid_lmat_free(t);
  return info;
}

/* On several processes of any grid: each has the rows of A and the columns of B that its block is made of. */
static GrB_Info multiply_replicated(const arguments *x, const grid_desc *d, grid_local_matrix *t) {
  const bool bounded = x->mask && !d->complement;
  grid_desc plain = *d;
  grid_mxm_operands o;
  grid_device_operand mask = {0};
  plain.tran0 = plain.tran1 = false;
  GrB_Info info = grid_mxm_operands_prepare(&o, x->C, x->A, d->tran0, x->B, d->tran1);
  TRY(info);
  if (bounded && o.b.nvals) info = grid_lmat_add_cols(&o.b, false, false);
  if (info == GrB_SUCCESS && x->mask && x->mask->block.nvals)
    info = grid_lmat_operand_to_device(&mask, &x->mask->block, false);
  grid_lmat_init(t, x->s->add->op->z, x->C->block.row.dim, x->C->block.col.dim);
  if (info == GrB_SUCCESS) info = multiply_lmats(x, &plain, &o.a, &o.b, mask.p, t);
  if (info == GrB_OUT_OF_MEMORY) info = GRID_UNSUPPORTED;
  info = grid_agree_supported(&x->C->head, info);
done:
  grid_device_operand_free(&mask);
  grid_mxm_operands_free(&o);
  if (info != GrB_SUCCESS) grid_lmat_free(t);
  return info;
}

/* Can it be done on the devices at all? Known alike on all processes. */
static bool fits_device(const arguments *x) {
  if (!grid_device_is_on() || x->s->add->op->z->size > GRID_DEVICE_VALUE_MAX) return false;
  if (grid_ctx.P == 1) return true;
  return grid_tune.matrix_device && !grid_mxm_uses_position(x->s);
}

/* *done, or the host must do it. On one process a transpose is cheap beside the product, so that under a mask
 * both ways have what they want. */
static GrB_Info multiply_on_device(const arguments *x, const grid_desc *desc, grid_local_matrix *t,
                                   bool *done) {
  grid_desc d = *desc;
  bool can = true;
  GrB_Info info = GrB_SUCCESS;
  *done = false;
  if (!fits_device(x)) return info;
  TRY(grid_matrix_require(x->A, GRID_WHOLE));
  TRY(grid_matrix_require(x->B, GRID_WHOLE));
  if (x->mask) TRY(grid_matrix_require(x->mask, GRID_WHOLE));
  if (grid_ctx.P > 1 && x->A->properties.symmetric) d.tran0 = false;
  const bool bounded = x->mask && !d.complement;
  grid_lmat_init(t, x->s->add->op->z, x->C->block.row.dim, x->C->block.col.dim);
  *done =
      x->A->nvals == 0 || x->B->nvals == 0 || (bounded && x->mask->nvals == 0) || (!x->mask && d.complement);
  if (*done) return info;
  info = stage_operands(x->A, &can);
  if (info == GrB_SUCCESS) info = stage_operands(x->B, &can);
  if (info == GrB_SUCCESS && x->mask && x->mask->nvals) info = stage_operands(x->mask, &can);
  if (grid_ctx.P > 1) {
    const GrB_Info staged = info;
    info = grid_ctx.C == 1 && !d.tran0 ? multiply_gathered(x, &d, can, staged, t) : GRID_UNSUPPORTED;
    if (info == GRID_UNSUPPORTED) info = multiply_replicated(x, &d, t);
  } else {
    TRY(info);
    if (!can) return info;
    info = multiply_single_process(x, &d, t);
  }
  *done = info != GRID_UNSUPPORTED;
  if (!*done) info = GrB_SUCCESS;
done:
  return info;
}

/* Each thread of dot products has a place for each inner index then: no more than in proportion to entries.
 */
static bool can_renumber(const arguments *x) {
  const uint64_t inner = x->A->ncols;
  return inner <= UINT32_MAX && inner / 64 <= x->A->nvals + x->B->nvals + (UINT64_C(1) << 16);
}

static GrB_Info multiply(const arguments *x, const grid_desc *d, grid_local_matrix *t) {
  const GrB_BinaryOp mul = x->s->mul;
  operand a = {0}, b = {0};
  grid_rows bt = {0};
  GrB_Info info;
  TRY(prepare_operand(x->A, d->tran0, &a));
  if (x->mask) TRY(grid_matrix_require_host(x->mask, 0, call));
  TRY(grid_matrix_require_host(x->B, 0, call)); /* what waits to be merged may make its axes lists */
  /* in one numbering of the inner indices */
  const bool plain = !(a.columns ? a.lmat->row.ids : a.lmat->col.ids) &&
                     !(d->tran1 ? x->B->block.col.ids : x->B->block.row.ids),
             renumbered = grid_ctx.P == 1 && !plain && !a.columns && is_dot_cheaper(x, d) &&
                          can_renumber(x) && x->B->block.by_row.idx,
             both = grid_ctx.P == 1 && x->mask && !d->complement && (plain || renumbered);
  bool whole, scaled = false;
  TRY(prepare_whole(x, d, &a, &b, &whole));
  if (whole && !d->tran1 && can_be_diagonal(x, d)) TRY(scale_replicated(x, &a, &b, t, &scaled));
  if (scaled) goto done;
  if (!whole)
    TRY(renumbered ? take_renumbered(x, &a, &b)
        : both     ? prepare_operands(x, d, &b)
                   : prepare_operand(x->B, d->tran1, &b));
  if (both || (whole && d->tran1)) bt = grid_rows_of(b.lmat, !b.columns, mul->uses_y);
  const grid_stages g = {.s = x->s,
                         .a = operand_rows(&a, mul->uses_x),
                         .b = operand_rows(&b, mul->uses_y),
                         .whole = whole || grid_ctx.P == 1,
                         .bt = bt.c && grid_compressed_is_built(bt.c) ? &bt : NULL,
                         .a_type = x->A->type,
                         .b_type = x->B->type,
                         .ninner = d->tran0 ? x->A->nrows : x->A->ncols,
                         .row_dim = x->C->block.row.dim,
                         .col_dim = x->C->block.col.dim,
                         .mask = x->mask ? &x->mask->block : NULL,
                         .structure = d->structure,
                         .complement = d->complement};
  info = grid_multiply_stages(&g, t);
done:
  grid_expanded_lmat_free(&a.plain);
  grid_expanded_lmat_free(&b.plain);
  grid_lmat_free(&a.own);
  grid_lmat_free(&b.own);
  return info;
}

/* ---- in slices ----
 *
 * Rows of the product are rows of A times all of B; of a B that is in pages, slice by slice, whose products
 * are added up. */

typedef struct {
  const arguments *x;
  const grid_desc *d;
  const grid_slices *s;
  GrB_Matrix T; /* the slice's product so far, under the mask */
  bool begun;
} out_of_core_product;

static GrB_Info mxm(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum, const GrB_Semiring op,
                    const GrB_Matrix A, const GrB_Matrix B, const GrB_Descriptor desc);

static GrB_Info add_slice(void *context, GrB_Matrix B) {
  out_of_core_product *y = context;
  const GrB_BinaryOp add = y->begun ? y->x->s->add->op : NULL;
  y->begun = true;
  return mxm(y->T, y->s->mask, add, y->x->s, y->s->A, B, y->s->desc);
}

static GrB_Info multiply_slice(void *context, const grid_slices *s) {
  out_of_core_product y = *(const out_of_core_product *)context;
  const grid_desc *d = y.d;
  grid_local_matrix t;
  GrB_Info info;
  y.s = s;
  TRY(GrB_Matrix_new(&y.T, y.x->s->add->op->z, s->C->nrows, s->C->ncols));
  TRY(s->B->pages ? grid_slices_of(s->B, s->A, d->tran1, add_slice, &y) : add_slice(&y, s->B));
  TRY(grid_matrix_require_host(y.T, 0, call));
  t = y.T->block;
  grid_lmat_init(&y.T->block, t.type, t.row.dim, t.col.dim);
  info = grid_finish_matrix(s->C, s->mask, y.x->accum, d, &t, s->mask != NULL, info);
done:
  GrB_Matrix_free(&y.T);
  return info;
}

/* *done, where some matrix is paged and there is no room for it. */
static GrB_Info multiply_out_of_core(const arguments *x, const grid_desc *d, bool *done) {
  out_of_core_product y = {.x = x, .d = d};
  grid_out_of_core all = {.C = x->C,
                          .mask = x->mask,
                          .A = x->A,
                          .B = x->B,
                          .accum = x->accum,
                          .d = d,
                          .is_b_replicated = true,
                          .run = multiply_slice,
                          .context = &y};
  const uint64_t each = sizeof(uint32_t) + x->s->add->op->z->size;
  uint64_t *bound = NULL;
  GrB_Info info = grid_out_of_core_needed(&all, done);
  if (info != GrB_SUCCESS || !*done) return info;
  if (!x->mask || d->complement) info = grid_product_bounds(&bound, x->A, d->tran0, x->B, d->tran1, each);
  all.bound = bound;
  if (info == GrB_SUCCESS) info = grid_out_of_core_run(&all);
  grid_free(bound);
  return info;
}

static GrB_Info mxm(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum, const GrB_Semiring op,
                    const GrB_Matrix A, const GrB_Matrix B, const GrB_Descriptor desc) {
  const arguments x = {C, mask, A, B, accum, op};
  grid_desc d;
  grid_local_matrix t = {0};
  GrB_Info info = check(&x, desc, &d);
  bool out_of_core = false;
  if (info == GrB_SUCCESS) info = multiply_out_of_core(&x, &d, &out_of_core);
  if (info != GrB_SUCCESS || out_of_core) return info;
  const grid_mxm_bits_call patterns = {C, mask, A, B, accum, op, &d, call};
  bool bits = false, scaled = false, there = false;
  info = multiply_on_device(&x, &d, &t, &there);
  if (there || info != GrB_SUCCESS) return grid_finish_matrix(C, mask, accum, &d, &t, mask != NULL, info);
  if (grid_is_tall_skinny(&patterns)) return grid_multiply_tall_skinny(&patterns);
  info = grid_can_multiply_bitmaps(&patterns, &bits);
  if (info == GrB_SUCCESS && bits) return grid_multiply_bitmaps(&patterns);
  if (info == GrB_SUCCESS) info = scale(&x, &d, &t, &scaled);
  if (info == GrB_SUCCESS && !scaled) info = multiply(&x, &d, &t);
  return grid_finish_matrix(C, mask, accum, &d, &t, mask != NULL, info);
}

GrB_Info GrB_mxm(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum, const GrB_Semiring op,
                 const GrB_Matrix A, const GrB_Matrix B, const GrB_Descriptor desc) {
  return GRID_TRACE_CALL(call, mxm(C, mask, accum, op, A, B, desc), C, mask, A, B);
}
