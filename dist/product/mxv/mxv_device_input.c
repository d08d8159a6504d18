/* The operands of a product over the axes of a block, in device memory: x and the mask are gathered from the
 * grid (mxv_device_grid.c). Where windows allow it, x is gathered beside the count of edges. */
#include "dist/product/mxv/mxv_device_grid.h"

#include "dist/comm/device_transport.h"

/* ---- memory ---- */

static uint64_t total_inputs(const grid_product *p) {
  return grid_member_length(p->in.set, p->in.n);
}
static uint64_t local_offset(grid_set set, uint64_t n) {
  return grid_member_offset(set, n, grid_set_rank(set));
}

/* Sets arrays, and returns their total bytes. */
static uint64_t layout_input(const grid_product *p, grid_device_input *g) {
  uint64_t used = 0;
  if (g->expand.form == GRID_EXPAND_WRITTEN) return used;
  if (!grid_is_input_full(p)) g->bits = grid_suballocate(g->memory, &used, total_inputs(p) / 64, 8);
  if (grid_device_x_size(p))
    g->val = grid_suballocate(g->memory, &used, total_inputs(p), grid_device_x_size(p));
  return used;
}
GrB_Info grid_device_input_allocate(const grid_product *p) {
  grid_device_input *g = p->input;
  const uint64_t bytes = layout_input(p, g);
  g->memory = bytes ? grid_device_malloc(bytes, 1) : NULL;
  if (bytes && !g->memory) return grid_device_fail_memory(NULL, "a product's gathered vector", bytes, 1);
  (void)layout_input(p, g);
  return grid_device_expand_allocate(&g->expand, p);
}

/* ---- expand ---- */

/* to, of q bits, = the n bits of a chunk; bits NULL: all are set. */
static GrB_Info copy_bits(uint64_t *to, const uint64_t *bits, bool complement, uint64_t n, uint64_t q) {
  const uint64_t words = grid_words(n);
  GrB_Info info = GrB_SUCCESS;
  if (n && bits && !complement)
    TRY(grid_device_copy(to, bits, 8 * words));
  else if (n && bits)
    TRY(grid_cuda->chunks->combine(to, NULL, bits, GRID_AND_NOT, n, NULL));
  else if (n)
    TRY(grid_cuda->chunks->combine(to, NULL, NULL, GRID_OR, n, NULL));
  TRY(grid_device_zero(to + words, 8 * (q / 64 - words)));
done:
  return info;
}

/* Clears the bits behind the last chunk of a vector over the block's inputs or outputs. */
static GrB_Info clear_tail(grid_set set, uint64_t n, uint64_t *bits) {
  const uint64_t end = grid_member_offset(set, n, grid_set_size(set)), all = grid_member_length(set, n);
  return end < all ? grid_device_zero(bits + end / 64, (all - end) / 8) : GrB_SUCCESS;
}

/* Copies this process's chunk of x to its position; bits, val NULL: they are not gathered. */
static GrB_Info copy_local_input(const grid_product *p, uint64_t *bits, char *val) {
  const grid_chunk *x = p->x;
  const uint64_t q = grid_local_padded_size(p->in.n);
  GrB_Info info = GrB_SUCCESS;
  if (x->nvals == 0) return bits ? grid_device_zero(bits, q / 8) : info;
  if (bits) TRY(copy_bits(bits, x->format == GRID_BITMAP ? x->bits : NULL, false, x->n, q));
  if (val && x->iso) TRY(grid_cuda->chunks->fill(val, x->host_value, x->type->size, x->n));
  if (val && !x->iso) TRY(grid_device_copy(val, x->val, x->n * x->type->size));
done:
  return info;
}

/* Gathers chunks of n indices; this process's one is at its position. */
static GrB_Info gather(const grid_device_transport *t, grid_set set, uint64_t n, void *all, size_t bits,
                       uint64_t *sent) {
  *sent += grid_local_padded_size(n) / 8 * bits * (uint64_t)(grid_set_size(set) - 1);
  return grid_device_gather_chunks(t, set, n, bits, all);
}

/* Copies this process's chunk of x to its position in the gathered x, whose tail gets no entries. */
static GrB_Info place_input(const grid_device_expand *e, const grid_product *p, uint64_t *bits, void *val) {
  const uint64_t n = p->in.n, at = local_offset(p->in.set, n);
  const GrB_Info info =
      copy_local_input(p, bits ? bits + at / 64 : NULL, e->size ? (char *)val + at * e->size : NULL);
  return info == GrB_SUCCESS && bits ? clear_tail(p->in.set, n, bits) : info;
}

static GrB_Info gather_dense(const grid_device_expand *e, grid_product *p, GrB_Info info, uint64_t **bits,
                             void **val) {
  const grid_device_transport *t = e->transport;
  const grid_set set = p->in.set;
  uint64_t *sent = &p->stats.expand_bytes;
  if (info == GrB_SUCCESS) info = place_input(e, p, *bits, *val);
  info = grid_first_failure(info, t->begin());
  if (*bits) info = grid_first_failure(info, gather(t, set, p->in.n, *bits, 1, sent));
  if (e->size) info = grid_first_failure(info, gather(t, set, p->in.n, *val, 8 * e->size, sent));
  return grid_first_failure(info, t->end());
}

static GrB_Info gather_packed(const grid_device_expand *e, grid_product *p, GrB_Info info, uint64_t **bits,
                              void **val) {
  if (info == GrB_SUCCESS) info = place_input(e, p, *bits, *val);
  return grid_device_gather_packed(e, p, info, bits, val);
}

static grid_device_gather *const gather_form[] = {
    [GRID_EXPAND_DENSE] = gather_dense,
    [GRID_EXPAND_LISTS] = grid_device_gather_lists,
    [GRID_EXPAND_PACKED] = gather_packed,
    [GRID_EXPAND_SLOTS] = grid_device_gather_slots,
    [GRID_EXPAND_FORWARDED] = grid_device_gather_forwarded,
    [GRID_EXPAND_WRITTEN] = grid_device_gather_written,
};

GrB_Info grid_device_expand_input(grid_product *p, const grid_axis *axis, const grid_device_buffers *r,
                                  GrB_Info info, grid_input *in) {
  const grid_chunk *x = p->x;
  grid_device_input *g = p->input;
  if (grid_device_has_gather(p)) {
    TRY(g->is_gathered ? info : gather_form[g->expand.form](&g->expand, p, info, &g->bits, &g->val));
    *in = (grid_input){.bits = g->bits, .val = g->val, .nx = axis->n};
  } else { /* the input is this process's chunk, which may be shorter than the axis */
    TRY(info);
    *in = (grid_input){.bits = x->format == GRID_BITMAP ? x->bits : NULL, .val = x->val, .iso = x->iso};
    in->nx = x->n < axis->n ? x->n : axis->n;
    if (x->nvals == 0) in->nx = 0; /* it may have no arrays */
  }
  if (!axis->ids || in->nx == 0) return info;
  const bool values = grid_device_x_size(p) && !in->iso;
  TRY(grid_cuda->products->gather_axis(r->xat, values ? r->xat_values : NULL, in->bits, in->val,
                                       grid_device_x_size(p), false, axis));
  in->bits = r->xat;
  in->nx = axis->n;
  if (values) in->val = r->xat_values;
done:
  return info;
}

/* ---- counting, and x gathered beside it ---- */

/* Is x gathered between the start of a count and the wait for it? Then the wait, the agreement on the counts
 * and the choices from them overlap with the exchange. The same on all processes. */
static bool gathers_with_counts(const grid_product *p) {
  return !p->A->delegates.split && !p->pages && grid_device_has_gather(p) && grid_device_has_windows(p->in.n);
}

GrB_Info grid_device_input_begin(const grid_product *p) {
  const grid_device_transport *transport;
  grid_device_input *g = p->input;
  GrB_Info info = GrB_SUCCESS;
  if (g->is_begun) return info;
  TRY(grid_device_transport_get(&transport));
  TRY(grid_device_expand_begin(&g->expand, p, transport, grid_device_x_size(p)));
  g->is_begun = true;
done:
  return info;
}

/* info: the outcome so far, agreed on here. Messages, and an x without entries, are left to
 * grid_product_multiply_grid. */
static GrB_Info gather_with_counts(grid_product *p, GrB_Info info) {
  grid_device_input *g = p->input;
  const uint64_t refusals = grid_device_oom_count();
  double since = grid_product_now();
  uint64_t nx = info == GrB_SUCCESS ? p->x->nvals : 0;
  TRY(grid_agree_sum(&p->A->head, info, &nx, 1));
  p->n.nx = nx;
  if (nx == 0) return info;
  TRY(grid_device_input_begin(p));
  if (!grid_device_form_has_windows(g->expand.form)) return info;
  info = grid_device_input_allocate(p);
  TRY(grid_agree_supported(&p->A->head, grid_device_oom_to_unsupported(info, refusals)));
  TRY(gather_form[g->expand.form](&g->expand, p, info, &g->bits, &g->val));
  g->is_gathered = true;
  grid_product_lap(p, &p->stats.expand_ms, &since);
done:
  return info;
}

/* Are the inputs of this process the rows of its block, and all in x? Then they meet all of its entries. */
static bool uses_all_entries(const grid_product *p) {
  return grid_ctx.C == 1 && (p->transposed || p->A->properties.symmetric) && p->x->nvals == p->x->n;
}

static GrB_Info count_and_gather(grid_product *p, uint64_t *edges, uint64_t *allowed,
                                 uint64_t *nonempty_count) {
  const GrB_Matrix A = p->A;
  const uint32_t *degree = p->transposed ? A->degrees.device_row : A->degrees.device_col;
  const uint64_t *nonempty = p->transposed ? A->degrees.device_col_nonempty : A->degrees.device_row_nonempty;
  const grid_mask *m = &p->mask;
  const bool none = grid_mask_is_empty(m), all = uses_all_entries(p);
  const grid_compressed rows = {.nonempty = (uint64_t *)(uintptr_t)nonempty};
  const grid_axis inputs = {.dim = p->x->n, .n = p->x->n}, outputs = {.dim = m->n, .n = m->n};
  GrB_Info info = GrB_SUCCESS;
  grid_product_count_job c = {.out_axis = &outputs,
                              .in_axis = &inputs,
                              .by_out = &rows,
                              .degree = degree,
                              .x = p->x->format == GRID_BITMAP ? p->x->bits : NULL,
                              .mask = m->bits,
                              .count_x = degree && p->x->nvals && !all,
                              .count_mask = !none && m->bits,
                              .complement = m->complement,
                              .n = m->n};
  if (c.count_x || c.count_mask) info = grid_cuda->products->start_count(&c);
  if (gathers_with_counts(p)) info = gather_with_counts(p, info);
  TRY(info);
  if (c.count_x || c.count_mask) TRY(grid_cuda->products->wait_count(&c));
  *edges = c.count_x ? c.edges
           : all     ? A->block.nvals
           : p->x->nvals
               ? p->x->nvals * (A->nvals / p->in.n + 1) /* a hypersparse dimension: the mean, rounded up */
               : 0;
  /* a mask that allows nothing, or all, is not counted; the latter is a mask of ones */
  *allowed = c.count_mask ? c.allowed : none ? 0 : m->n;
  *nonempty_count = c.count_mask ? c.nonempty_count : 0;
  if (!c.count_mask && !none && !p->unmasked && nonempty && m->n)
    TRY(grid_cuda->chunks->combine(NULL, nonempty, nonempty, GRID_AND, m->n, nonempty_count));
  if (!nonempty) *nonempty_count = *allowed < A->nvals ? *allowed : A->nvals;
done:
  return info;
}

GrB_Info grid_product_count_grid(grid_product *p, GrB_Info info, uint64_t *edges, uint64_t *allowed,
                                 uint64_t *nonempty_count) {
  if (info == GrB_SUCCESS) return count_and_gather(p, edges, allowed, nonempty_count);
  return gathers_with_counts(p) ? gather_with_counts(p, info) : info;
}

/* ---- mask ---- */

GrB_Info grid_device_spread_mask(grid_product *p, const grid_device_transport *t, const grid_axis *axis,
                                 const grid_device_buffers *r, GrB_Info info, grid_kernel_mask *a) {
  const grid_mask *m = &p->mask;
  *a = (grid_kernel_mask){.bits = m->bits, .complement = m->complement};
  if (grid_device_has_fold(p) && !p->choice.spreads_mask) a->bits = NULL; /* the owners filter */
  if (grid_device_has_fold(p) && p->choice.spreads_mask) {
    const grid_set set = p->out.set;
    const uint64_t n = p->out.n, q = grid_local_padded_size(n);
    uint64_t *local = r->mask + local_offset(set, n) / 64;
    if (info == GrB_SUCCESS)
      info = m->bits || m->all || m->complement ? copy_bits(local, m->bits, m->bits && m->complement, m->n, q)
                                                : grid_device_zero(local, q / 8);
    if (info == GrB_SUCCESS) info = clear_tail(set, n, r->mask);
    info = grid_first_failure(info, gather(t, set, n, r->mask, 1, &p->stats.mask_bytes));
    *a = (grid_kernel_mask){.bits = r->mask};
  }
  if (info != GrB_SUCCESS || !a->bits || !axis->ids) return info;
  TRY(grid_cuda->products->gather_axis(r->maskat, NULL, a->bits, NULL, 0, a->complement, axis));
  *a = (grid_kernel_mask){.bits = r->maskat};
done:
  return info;
}
