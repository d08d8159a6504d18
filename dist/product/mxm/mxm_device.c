/* GrB_mxm on one or several devices. What a device multiplies. On one process it is the blocks, on a grid of
 * one column its rows of A by all of B. On any other grid it is the rows of A and the columns of B that its
 * block of C depends on. */
#include <math.h>

#include "dist/matrix/transfer/matrix_gather.h"
#include "dist/product/mxm/mxm.h"
#include "dist/product/mxm/operands/mxm_gather_operands.h"
#include "dist/product/mxm/mxm_methods.h"
#include "semiring/support/tuning.h"
#include "spmat/cpu/mxm/cpu_mxm.h"
#include "spmat/device/device.h"
#include "spmat/lmat_ops.h"

/* Is every product the same value (*constant, 16 bytes), and is the sum of such values that value again? */
static bool is_constant(const grid_mxm_call *x, const grid_local_matrix *a, const grid_local_matrix *b,
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

/* Brings M's block to the device. *can becomes false where the device cannot multiply it. A hypersparse block
 * is not moved: on one process move_to_device copies it. */
static GrB_Info stage_operands(GrB_Matrix M, bool *can) {
  const grid_local_matrix *p = &M->block;
  const bool hypersparse = p->row.ids || p->col.ids;
  GrB_Info info = GrB_SUCCESS;
  *can = *can && grid_device_can_hold(p->type) && (!hypersparse || grid_ctx.P == 1);
  if (*can && !hypersparse) info = grid_matrix_to_device(M);
  *can = *can && (hypersparse || p->device);
  return info;
}

/* Under a mask that bounds C: entries that dot products with B's columns inspect, for each product that sums
 * over rows have, by mean lengths; infinite without one. */
static double inspected_share(const grid_mxm_call *x, const grid_desc *d) {
  const double inner = (double)(d->tran0 ? x->A->nrows : x->A->ncols);
  if (!x->mask || d->complement) return INFINITY;
  return (double)x->mask->nvals * inner / ((double)x->A->nvals * (double)x->C->ncols);
}

/* Uneven lengths may exceed the mean by so much. */
static const double SKEW = 16;

/* May dot products inspect less? A frontier with a column for each search has long columns, which are then
 * not computed. */
static bool may_dot(const grid_mxm_call *x, const grid_desc *d) {
  return inspected_share(x, d) <= SKEW;
}

/* May sums over rows have fewer products? Else rows of B transposed, that is, B's columns, are not made. */
static bool may_sum_rows(const grid_mxm_call *x, const grid_desc *d) {
  return inspected_share(x, d) > 1 / SKEW;
}

/* The product of local matrices in device memory: A's block, B's block or all of B, and the mask's (or NULL).
 */
static GrB_Info multiply_lmats(const grid_mxm_call *x, const grid_desc *d, const grid_local_matrix *a,
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
                               .bt = !bounded                               ? NULL
                                     : d->tran1                             ? &b->by_row
                                     : grid_compressed_is_built(&b->by_col) ? &b->by_col
                                                                            : NULL,
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

/* A diagonal A scales the rows of B that this process has. *done: A is diagonal; else *t is empty.
 * Collective, agreed on. */
static GrB_Info scale_rows_local(const grid_mxm_call *x, const grid_desc *d, grid_local_matrix *t,
                                 bool *done) {
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
    info = GRID_UNSUPPORTED; /* not decided whether A is diagonal */
  }
  if (info == GrB_OUT_OF_MEMORY) info = GRID_UNSUPPORTED;
  info = grid_agree_supported(&x->C->head, info);
  *done = info == GrB_SUCCESS;
  if (*done) return info;
  grid_lmat_free(t);
  grid_lmat_init(t, x->s->add->op->z, x->C->block.row.dim, x->C->block.col.dim);
  return info == GRID_UNSUPPORTED ? GrB_SUCCESS : info;
}

/* M's block in device memory, with its columns if `cols`. */
static GrB_Info move_to_device(grid_device_operand *l, GrB_Matrix M, bool cols) {
  GrB_Info info = grid_lmat_operand_to_device(l, &M->block, false);
  if (info != GrB_SUCCESS || !cols) return info;
  return l->p == &l->copy ? grid_lmat_add_cols(&l->copy, M->properties.symmetric, false)
                          : grid_matrix_require(M, GRID_COLS);
}

/* Is the operand on the device? A block is moved to the host when there is no device memory for its columns.
 */
static bool is_on_device(const grid_device_operand *l) {
  return !l->p || l->p->nvals == 0 || l->p->device;
}

static GrB_Info multiply_single_process(const grid_mxm_call *x, const grid_desc *d, grid_local_matrix *t) {
  const uint64_t refusals = grid_device_oom_count();
  grid_device_operand a = {0}, b = {0}, mask = {0};
  GrB_Info info;
  TRY(move_to_device(&a, x->A, d->tran0));
  TRY(move_to_device(&b, x->B, d->tran1 ? may_sum_rows(x, d) : may_dot(x, d)));
  if (x->mask && x->mask->nvals) TRY(move_to_device(&mask, x->mask, false));
  if (!is_on_device(&a) || !is_on_device(&b) || !is_on_device(&mask)) TRY(GRID_UNSUPPORTED);
  info = multiply_lmats(x, d, a.p, b.p, mask.p, t);
done:
  info = grid_device_oom_to_unsupported(info, refusals);
  grid_device_operand_free(&a);
  grid_device_operand_free(&b);
  grid_device_operand_free(&mask);
  return info;
}

/* A grid of one column: every process gathers B. Its columns are computed on the device if the product or the
 * mask needs them, but not for dot products with B's rows. info, can: the outcome of staging on this process.
 */
static GrB_Info multiply_gathered(const grid_mxm_call *x, const grid_desc *d, bool can, GrB_Info info,
                                  grid_local_matrix *t) {
  grid_local_matrix b = {0};
  if (info == GrB_SUCCESS && !can) info = GRID_UNSUPPORTED;
  bool scaled;
  TRY(grid_agree_supported(&x->C->head, info));
  TRY(scale_rows_local(x, d, t, &scaled));
  if (scaled) return info;
  TRY(grid_matrix_gather_rows_device(&b, x->B));
  if ((d->tran1 || may_dot(x, d)) && !grid_mxm_is_dot_cheaper(x))
    info = grid_lmat_add_cols(&b, x->B->properties.symmetric, false);
  if (info == GrB_SUCCESS) info = multiply_lmats(x, d, &x->A->block, &b, x->mask ? &x->mask->block : NULL, t);
  if (info == GrB_OUT_OF_MEMORY) info = GRID_UNSUPPORTED; /* the host needs less memory at a time */
  TRY(grid_agree_supported(&x->C->head, info));
done:
  if (b.type) grid_lmat_free(&b);
  if (info != GrB_SUCCESS) grid_lmat_free(t);
  return info;
}

/* Any grid: every process gathers the rows of A and the columns of B of its block of C. */
static GrB_Info multiply_replicated(const grid_mxm_call *x, const grid_desc *d, grid_local_matrix *t) {
  grid_desc plain = *d;
  grid_mxm_operands o;
  grid_device_operand mask = {0};
  plain.tran0 = plain.tran1 = false;
  GrB_Info info = grid_mxm_operands_prepare(&o, x->C, x->A, d->tran0, x->B, d->tran1);
  TRY(info);
  if (may_dot(x, d) && o.b.nvals) info = grid_lmat_add_cols(&o.b, false, false);
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

static bool applies(const grid_plan *plan) {
  const grid_mxm_call *x = grid_mxm_of(plan);
  if (!grid_device_is_on() || !grid_device_can_hold(x->s->add->op->z)) return false;
  if (grid_ctx.P == 1) return true;
  return grid_tune.matrix_device && !grid_mxm_uses_position(x->s);
}

/* Is the product empty whatever A and B hold? */
static bool is_empty(const grid_mxm_call *x) {
  const bool bounded = x->mask && !x->d->complement;
  return x->A->nvals == 0 || x->B->nvals == 0 || (bounded && x->mask->nvals == 0) ||
         (!x->mask && x->d->complement);
}

static GrB_Info multiply(const grid_mxm_call *x, grid_local_matrix *t) {
  grid_desc d = *x->d;
  bool can = true;
  GrB_Info info;
  TRY(grid_matrix_require(x->A, GRID_WHOLE));
  TRY(grid_matrix_require(x->B, GRID_WHOLE));
  if (x->mask) TRY(grid_matrix_require(x->mask, GRID_WHOLE));
  if (grid_ctx.P > 1 && x->A->properties.symmetric) d.tran0 = false;
  grid_lmat_init(t, x->s->add->op->z, x->C->block.row.dim, x->C->block.col.dim);
  if (is_empty(x)) return info;
  info = stage_operands(x->A, &can);
  if (info == GrB_SUCCESS) info = stage_operands(x->B, &can);
  if (info == GrB_SUCCESS && x->mask && x->mask->nvals) info = stage_operands(x->mask, &can);
  if (grid_ctx.P == 1) {
    TRY(info);
    return can ? multiply_single_process(x, &d, t) : GRID_UNSUPPORTED;
  }
  const GrB_Info staged = info;
  info = grid_ctx.C == 1 && !d.tran0 ? multiply_gathered(x, &d, can, staged, t) : GRID_UNSUPPORTED;
  if (info == GRID_UNSUPPORTED) info = multiply_replicated(x, &d, t);
done:
  return info;
}

static GrB_Info run(grid_plan *plan) {
  return grid_mxm_run_method(plan, multiply);
}

const grid_method grid_mxm_method_device = {.name = "device", .applies = applies, .run = run};
