/* A product with x, mask, block and result in device memory. On several processes its steps are those of
 * mxv_device_grid.c. Vectors too long for that are exchanged on the host, and the device
 * computes only the block's local product. */
#include <string.h>

#include "dist/delegates/delegate_split.h"
#include "dist/matrix/storage/matrix_host_resident.h"
#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/product/mxv/mxv_methods.h"
#include "dist/product/local/local_product_outofcore.h"
#include "dist/product/local/paged_device_product.h"
#include "dist/product/local/streamed_product.h"
#include "semiring/support/tuning.h"
#include "spmat/backend.h"

/* ---- choice of the memory ---- */

/* Has the device kernels for the semiring and the types? The same on every process. */
static bool has_device_kernel(const grid_product *p) {
  return grid_device_is_on() && grid_cuda->products->is_supported(p->s) &&
         grid_device_can_hold(p->s->mul->z) && grid_device_can_hold(p->A->type);
}

/* The choice by conditions that are the same on all processes. */
static grid_execution choose_execution(const grid_product *p, GrB_Type u) {
  const GrB_Matrix A = p->A;
  if (!grid_device_is_on()) return GRID_ON_HOST;
  if (!has_device_kernel(p)) {
    grid_report_fallback("product with an operator that has no source text, or to sum by no identity");
    return GRID_ON_HOST;
  }
  if (!grid_device_can_index(p->in.n, p->out.n) || !grid_device_can_hold(u)) {
    grid_report_fallback("product of vectors that are too long, or too wide in values");
    return GRID_ON_HOST;
  }
  if (A->properties.offsets64 && !A->block.host_resident && !grid_offsets64_on_device(A)) {
    grid_report_fallback("product of a matrix block of 2^32 entries or more");
    return GRID_ON_HOST;
  }
  return grid_ctx.P == 1 || grid_product_fits_grid(p) ? GRID_ON_DEVICE : GRID_BLOCK_ON_DEVICE;
}

/* Blocks of some processes may be hypersparse. Since p->where determines the messages, one such block makes
 * all processes use the host. */
GrB_Info grid_product_choose_where(grid_product *p, GrB_Type u) {
  const grid_local_matrix *b = &p->A->block;
  p->where = choose_execution(p, u);
  if (p->where != GRID_BLOCK_ON_DEVICE) return GrB_SUCCESS;
  const GrB_Info info =
      grid_agree_supported(&p->A->head, b->row.ids || b->col.ids ? GRID_UNSUPPORTED : GrB_SUCCESS);
  if (info == GRID_UNSUPPORTED) p->where = GRID_ON_HOST;
  grid_report_fallback(info == GRID_UNSUPPORTED
                           ? "product of a hypersparse block on several processes"
                           : "product of vectors that are too long for several processes");
  return info == GRID_UNSUPPORTED ? GrB_SUCCESS : info;
}

/* Searches are faster on the CPU, whose residual rows (residual_rows.h) serve several levels by one read. */
void grid_product_choose_where_paged(grid_product *p, GrB_Type u, bool is_masked) {
  p->where = GRID_ON_HOST;
  if (!grid_device_is_on()) return;
  if (is_masked && grid_can_use_residual_rows(p) && !grid_tune.paged_masks) {
    grid_report_fallback("masked search of an out-of-core matrix");
    return;
  }
  if (grid_is_paged_hypersparse(p->A)) {
    grid_report_fallback("product of a hypersparse out-of-core matrix");
    return;
  }
  const bool is_sent =
      grid_cuda->paging &&
      (grid_ctx.P == 1 || (p->A->properties.symmetric && p->s->mul->f && grid_product_fits_grid(p)));
  if (is_sent) p->where = choose_execution(p, u);
  if (!is_sent)
    grid_report_fallback(
        "product, on several processes, of an out-of-core matrix that is not symmetric, or of "
        "positions");
}

/* ---- all on the device ---- */

/* At memory pressure n > 0 (spmat/device/device.h), would A take more than 1/2^n of the free memory? Then the
 * product is not computed with A on the device. */
static bool is_memory_tight(GrB_Matrix A) {
  const grid_split *s = A->delegates.split;
  const grid_local_matrix *const lmat[] = {&A->block, s ? &s->nd : NULL, s ? &s->dn : NULL,
                                           s ? &s->dd : NULL};
  const unsigned pressure = grid_device_memory_pressure();
  uint64_t bytes = 0;
  for (int k = 0; pressure && k < 4; k++)
    if (lmat[k] && lmat[k]->nvals && !lmat[k]->device) bytes += grid_lmat_bytes(lmat[k]);
  return bytes && bytes > grid_device_free_bytes() >> pressure;
}

GrB_Info grid_product_to_device(grid_product *p, const grid_chunk *u) {
  const uint64_t refusals = grid_device_oom_count();
  GrB_Info info = p->pages || p->A->block.host_resident ? GrB_SUCCESS
                  : is_memory_tight(p->A)               ? GRID_UNSUPPORTED
                                                        : grid_lmat_to_device(&p->A->block);
  p->x = u; /* its values are cast as they are read */
  if (info == GrB_SUCCESS && grid_ctx.P > 1) info = grid_degrees_to_device(p->A);
  if (info == GrB_SUCCESS && p->A->delegates.split) info = grid_split_to_device(p->A);
  info = grid_device_oom_to_unsupported(info, refusals); /* the host also has the matrix */
  return info == GrB_SUCCESS ? grid_chunk_to_device(u) : info;
}

static bool has_no_terms(const grid_product *p) {
  return p->x->nvals == 0 || p->A->block.nvals == 0;
}

/* Forms are made when a product reads them. Does the block lack one that counting reads? */
static bool lacks_form(const grid_product_count_job *c) {
  return !grid_compressed_is_built(c->by_in) || (c->count_mask && !c->by_out->nonempty);
}

/* The counts for a block that is not on the device, from degrees. Columns of an out-of-core matrix have
 * none: their counts are estimated. */
static GrB_Info count_by_degrees(GrB_Matrix A, bool transposed, grid_product_count_job *c) {
  if (!c->count_x && !c->count_mask) return GrB_SUCCESS;
  const uint64_t refusals = grid_device_oom_count();
  GrB_Info info = grid_device_oom_to_unsupported(grid_degrees_to_device(A), refusals);
  const grid_compressed out = {.nonempty = transposed ? A->degrees.device_col_nonempty
                                                      : A->degrees.device_row_nonempty};
  grid_product_count_job by = *c;
  by.degree = transposed ? A->degrees.device_row : A->degrees.device_col;
  by.by_out = &out;
  by.count_x = c->count_x && by.degree;
  if (info == GrB_SUCCESS && (by.count_x || by.count_mask)) info = grid_cuda->products->count(&by, 1);
  c->edges = by.count_x ? by.edges : A->block.nvals;
  c->allowed = by.allowed;
  c->nonempty_count = out.nonempty                  ? by.nonempty_count
                      : by.allowed < A->block.nvals ? by.allowed
                                                    : A->block.nvals;
  return info;
}

GrB_Info grid_product_count_device(grid_product *p, GrB_Info info, uint64_t *edges, uint64_t *allowed,
                                   uint64_t *nonempty_count) {
  if (grid_ctx.P > 1) return grid_product_count_grid(p, info, edges, allowed, nonempty_count);
  if (info != GrB_SUCCESS) return info;
  const grid_local_matrix *b = &p->A->block;
  const grid_mask *m = &p->mask;
  const bool bits = m->bits != NULL, none = grid_mask_is_empty(m);
  grid_product_count_job c = {.in_axis = grid_in_axis(p, b),
                              .out_axis = grid_out_axis(p, b),
                              .by_in = p->transposed ? &b->by_row : &b->by_col,
                              .by_out = p->transposed ? &b->by_col : &b->by_row,
                              .x = p->x->bits,
                              .mask = m->bits,
                              .count_x = p->x->format == GRID_BITMAP,
                              .count_mask = bits,
                              .complement = m->complement,
                              .n = m->n,
                              .nx = p->x->nvals,
                              .nvals = b->nvals};
  *edges = *allowed = *nonempty_count = 0;
  if (has_no_terms(p)) return GrB_SUCCESS;
  info = p->pages || p->A->block.host_resident || p->A->properties.offsets64 || lacks_form(&c)
             ? count_by_degrees(p->A, p->transposed, &c)
         : c.count_x || bits ? grid_cuda->products->count(&c, 1)
                             : GrB_SUCCESS;
  *edges = c.count_x ? c.edges : b->nvals;
  *allowed = bits ? c.allowed : none ? 0 : m->n;
  *nonempty_count = bits            ? c.nonempty_count
                    : none          ? 0
                    : p->transposed ? p->A->degrees.nonempty_cols
                                    : p->A->degrees.nonempty_rows;
  return info;
}

/* The input of a hypersparse axis: x at its ids. */
static GrB_Info gather_input(const grid_chunk *x, const grid_axis *axis, bool values, grid_input *in) {
  const size_t size = x->type->size;
  GrB_Info info = GrB_SUCCESS;
  in->bits = in->owned_bits = grid_device_malloc(grid_words(axis->n), sizeof *in->bits);
  if (values) in->val = in->owned_val = grid_device_malloc(axis->n, size);
  if (!in->bits || (values && !in->val))
    TRY(grid_device_fail_memory(NULL, "input of a hypersparse block", axis->n, values ? size : 1));
  TRY(grid_cuda->products->gather_axis(in->bits, in->owned_val, x->format == GRID_BITMAP ? x->bits : NULL,
                                       x->val, size, false, axis));
done:
  return info;
}

static GrB_Info make_input(const grid_product *p, const grid_axis *axis, grid_input *in) {
  const grid_chunk *x = p->x;
  *in = (grid_input){.val = x->val, .iso = x->iso, .nx = axis->n};
  if (axis->ids) return gather_input(x, axis, p->values.uses_x && !x->iso, in);
  in->bits = x->format == GRID_BITMAP ? x->bits : NULL;
  return GrB_SUCCESS;
}

static GrB_Info make_mask(const grid_product *p, const grid_axis *axis, grid_kernel_mask *a) {
  const grid_mask *m = &p->mask;
  GrB_Info info = GrB_SUCCESS;
  *a = (grid_kernel_mask){0};
  if (!m->bits) return GrB_SUCCESS; /* all is allowed; or nothing, then there is no product */
  a->bits = m->bits;
  a->complement = m->complement;
  if (!axis->ids) return GrB_SUCCESS;
  uint64_t *bits = a->owned = grid_device_malloc(grid_words(axis->n), sizeof *bits);
  if (!bits) TRY(grid_device_fail_memory(NULL, "mask of a hypersparse block", axis->n / 8, 1));
  TRY(grid_cuda->products->gather_axis(bits, NULL, m->bits, NULL, 0, m->complement, axis));
  a->bits = bits;
  a->complement = false;
done:
  return info;
}

/* y: t's arrays, or, over a hypersparse axis, arrays of its own. */
static GrB_Info make_output(const grid_product *p, const grid_axis *axis, grid_chunk *t, grid_output *y) {
  const size_t size = p->values.structural ? 0 : t->type->size;
  GrB_Info info = GrB_SUCCESS;
  if (grid_product_adds_to_w(p, axis)) {
    TRY(grid_product_start_from_w(p, t));
  } else {
    TRY(grid_chunk_reserve_device(t, true, p->values.structural));
    TRY(grid_device_zero(t->bits, grid_words(t->n) * sizeof *t->bits));
  }
  *y = (grid_output){.n = t->n,
                     .bits = t->bits,
                     .val = t->val,
                     .full = grid_product_adds_to_w(p, axis),
                     .late = grid_device_is_count_deferred() && !grid_is_tracing()};
  if (!axis->ids) return GrB_SUCCESS;
  y->late = false;
  y->n = axis->n;
  y->bits = y->owned_bits = grid_device_malloc(grid_words(y->n), sizeof *y->bits);
  y->val = y->owned_val = size ? grid_device_malloc(y->n, size) : NULL;
  if (!y->bits || (size && !y->val)) TRY(grid_device_fail_memory(NULL, "outputs of a block", y->n, size + 1));
  TRY(grid_device_zero(y->bits, grid_words(y->n) * sizeof *y->bits));
done:
  return info;
}

static GrB_Info finish(grid_product *p, const grid_axis *axis, const grid_output *y, grid_chunk *t) {
  GrB_Info info = GrB_SUCCESS;
  if (grid_product_adds_to_w(p, axis)) {
    grid_product_added_to_w(p, t);
    return info;
  }
  if (axis->ids)
    TRY(grid_cuda->products->scatter_axis(t->bits, p->values.structural ? NULL : t->val, y->bits, y->val,
                                          t->type->size, axis));
  t->nvals = y->found, t->ticket = y->ticket;
  if (t->nvals == 0) return GrB_SUCCESS;
  t->format = GRID_BITMAP;
  t->iso = p->values.structural;
  if (!t->iso) return GrB_SUCCESS;
  memcpy(t->host_value, p->values.constant, t->type->size);
  TRY(grid_cuda->chunks->fill(t->val, t->host_value, t->type->size, 1));
done:
  return info;
}

/* If memory for working arrays of the matrix is short, the product is computed on the host. */
static GrB_Info run(grid_product *p, const grid_input *in, const grid_kernel_mask *mask,
                    const grid_axis *axis, grid_output *y) {
  const uint64_t refusals = grid_device_oom_count();
  const grid_index_map at = {.axis = axis};
  const GrB_Info info = p->pages ? grid_run_paged_device(p, in, mask, at, y)
                        : p->A->block.host_resident
                            ? grid_run_device_pages(p, in, mask, at, y)
                            : grid_run_lmat(p, &p->A->block, p->transposed, p->choice.pull, in, mask, at, y);
  return grid_device_oom_to_unsupported(info, refusals);
}

static GrB_Info multiply(grid_product *p, grid_chunk *t) {
  if (grid_ctx.P > 1) return grid_product_multiply_grid(p, t);
  const grid_local_matrix *block = &p->A->block;
  const grid_axis *in_axis = grid_in_axis(p, block), *out_axis = grid_out_axis(p, block);
  grid_input in = {0};
  grid_kernel_mask mask = {0};
  grid_output y = {0};
  double since = grid_product_now();
  GrB_Info info = GrB_SUCCESS;
  if (has_no_terms(p) || p->n.allowed == 0) return GrB_SUCCESS;
  TRY(make_input(p, in_axis, &in));
  TRY(make_mask(p, out_axis, &mask));
  TRY(make_output(p, out_axis, t, &y));
  TRY(run(p, &in, &mask, in_axis, &y));
  TRY(finish(p, out_axis, &y, t));
  grid_product_lap(p, &p->stats.local_ms, &since);
done:
  grid_device_free(in.owned_bits);
  grid_device_free(in.owned_val);
  grid_device_free(mask.owned);
  grid_device_free(y.owned_bits);
  grid_device_free(y.owned_val);
  return info;
}

/* ---- the methods ---- */

static bool push_applies(const grid_plan *plan) {
  return grid_mxv_may_push(grid_mxv_product(plan), true);
}

static bool pull_applies(const grid_plan *plan) {
  return grid_mxv_may_pull(grid_mxv_product(plan), true);
}

static GrB_Info run_method(grid_plan *plan) {
  grid_mxv_call *x = (grid_mxv_call *)plan;
  const bool can_add = grid_product_can_add_to_w(x);
  if (can_add) x->p.w = &x->a.w->chunk;
  const GrB_Info info = multiply(&x->p, &x->t);
  if (can_add && !x->p.w) x->a.accum = NULL; /* t is all of w */
  x->p.w = NULL;
  return info;
}

const grid_mxv_method grid_mxv_device_push = {
    .method = {
        .name = "device-push", .applies = push_applies, .cost = grid_mxv_push_cost, .run = run_method}};
const grid_mxv_method grid_mxv_device_pull = {
    .method = {.name = "device-pull", .applies = pull_applies, .cost = grid_mxv_pull_cost, .run = run_method},
    .pull = true};
