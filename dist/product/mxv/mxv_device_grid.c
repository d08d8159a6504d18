/* A product on several processes, or with delegates, whose operands, messages and result are all in device
 * memory: the steps of dist/product/mxv/mxv.c with bitmaps and dense values as messages. An owner writes its
 * segment at its position in the gathered vector, and the exchange gathers in place; owners add the
 * contributions they receive.
 *
 * Messages hold no outcome. Failures that one process can have alone (no memory, no kernel) are agreed on
 * before each exchange of x, and before contributions are sent. Between these points a process that has
 * failed (info) only takes part in the messages, since the others wait for them. */
#include <string.h>

#include "dist/comm/device_transport.h"
#include "dist/delegates/delegate_split.h"
#include "dist/product/mxv/mxv.h"
#include "dist/product/exchange/exchange_sparse_device.h"
#include "dist/product/local/paged_device_product.h"
#include "dist/product/local/streamed_product.h"
#include "semiring/support/tuning.h"
#include "spmat/backend.h"

bool grid_product_fits_grid(const grid_product *p) {
  return p->in.n <= grid_tune.mxv_dense_max && p->out.n <= grid_tune.mxv_dense_max;
}

/* ---- memory ---- */

/* The arrays of a product beside p->input, allocated before the messages, in one piece, since each allocation
 * costs a call. NULL: not needed. */
typedef struct {
  void *memory;
  uint64_t *mask;               /* over the block's local outputs: gathered */
  uint64_t *ybits, *segments;   /* contributions over the local outputs; those received from all */
  void *y, *segment_values;     /* their values */
  uint64_t *xat, *maskat, *yat; /* the same three over hypersparse axes */
  void *xat_values, *yat_values;
} buffers;

/* The next array; memory NULL: only *used advances. */
static void *suballocate(void *memory, uint64_t *used, uint64_t count, size_t size) {
  const uint64_t at = *used, alignment = 256; /* for values of any type, and for memory transactions */
  *used += (count * size + alignment - 1) / alignment * alignment;
  return memory ? (char *)memory + at : NULL;
}

static bool has_gather(const grid_product *p) {
  return grid_set_size(p->in.set) > 1;
}
static bool has_fold(const grid_product *p) {
  return grid_set_size(p->out.set) > 1;
}
static uint64_t total_inputs(const grid_product *p) {
  return grid_member_length(p->in.set, p->in.n);
}
static uint64_t total_outputs(const grid_product *p) {
  return grid_member_length(p->out.set, p->out.n);
}
static uint64_t local_offset(grid_set set, uint64_t n) {
  return grid_member_offset(set, n, grid_set_rank(set));
}
/* Indices of the copies of the local chunk that all processes send. */
static uint64_t total_segments(const grid_product *p) {
  return (uint64_t)grid_set_size(p->out.set) * grid_local_padded_size(p->out.n);
}
static size_t x_size(const grid_product *p) {
  return p->values.uses_x ? p->x->type->size : 0;
}
static size_t y_size(const grid_product *p) {
  return p->values.structural ? 0 : p->s->mul->z->size;
}

/* Set arrays, and return their total bytes. */
static uint64_t layout_input(const grid_product *p, grid_device_input *g) {
  uint64_t used = 0;
  if (g->expand.form == GRID_EXPAND_WRITTEN) return used;
  if (!grid_is_input_full(p)) g->bits = suballocate(g->memory, &used, total_inputs(p) / 64, 8);
  if (x_size(p)) g->val = suballocate(g->memory, &used, total_inputs(p), x_size(p));
  return used;
}
static uint64_t layout_buffers(const grid_product *p, const grid_axis *in, const grid_axis *out, buffers *r) {
  const uint64_t outputs = total_outputs(p), segments = total_segments(p);
  const size_t x = x_size(p), y = y_size(p);
  uint64_t used = 0;
  if (in->ids) {
    r->xat = suballocate(r->memory, &used, grid_words(in->n), 8);
    if (x) r->xat_values = suballocate(r->memory, &used, in->n, x);
  }
  if (has_fold(p) && p->choice.spreads_mask) r->mask = suballocate(r->memory, &used, outputs / 64, 8);
  if (out->ids) {
    r->maskat = suballocate(r->memory, &used, grid_words(out->n), 8);
    r->yat = suballocate(r->memory, &used, grid_words(out->n), 8);
    if (y) r->yat_values = suballocate(r->memory, &used, out->n, y);
  }
  if (has_fold(p)) {
    r->ybits = suballocate(r->memory, &used, outputs / 64, 8);
    r->segments = suballocate(r->memory, &used, segments / 64, 8);
    if (y) r->y = suballocate(r->memory, &used, outputs, y);
    if (y) r->segment_values = suballocate(r->memory, &used, segments, y);
  }
  return used;
}

static GrB_Info allocate_input(const grid_product *p) {
  grid_device_input *g = p->input;
  const uint64_t bytes = layout_input(p, g);
  g->memory = bytes ? grid_device_malloc(bytes, 1) : NULL;
  if (bytes && !g->memory) return grid_device_fail_memory(NULL, "a product's gathered vector", bytes, 1);
  (void)layout_input(p, g);
  return grid_device_expand_allocate(&g->expand, p);
}

static GrB_Info allocate_buffers(const grid_product *p, const grid_axis *in, const grid_axis *out,
                                 grid_chunk *t, buffers *r) {
  const uint64_t bytes = layout_buffers(p, in, out, r);
  GrB_Info info = GrB_SUCCESS;
  r->memory = bytes ? grid_device_malloc(bytes, 1) : NULL;
  if (bytes && !r->memory) TRY(grid_device_fail_memory(NULL, "a product's mask and contributions", bytes, 1));
  (void)layout_buffers(p, in, out, r);
  if (has_gather(p) && !p->input->is_gathered) TRY(allocate_input(p));
  TRY(grid_chunk_reserve_device(t, true, p->values.structural));
done:
  return info;
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

static GrB_Info expand(grid_product *p, const grid_axis *axis, const buffers *r, GrB_Info info,
                       grid_input *in) {
  const grid_chunk *x = p->x;
  grid_device_input *g = p->input;
  if (has_gather(p)) {
    TRY(g->is_gathered ? info : gather_form[g->expand.form](&g->expand, p, info, &g->bits, &g->val));
    *in = (grid_input){.bits = g->bits, .val = g->val, .nx = axis->n};
  } else { /* the input is this process's chunk, which may be shorter than the axis */
    TRY(info);
    *in = (grid_input){.bits = x->format == GRID_BITMAP ? x->bits : NULL, .val = x->val, .iso = x->iso};
    in->nx = x->n < axis->n ? x->n : axis->n;
    if (x->nvals == 0) in->nx = 0; /* it may have no arrays */
  }
  if (!axis->ids || in->nx == 0) return info;
  const bool values = x_size(p) && !in->iso;
  TRY(grid_cuda->products->gather_axis(r->xat, values ? r->xat_values : NULL, in->bits, in->val, x_size(p),
                                       false, axis));
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
  return !p->A->delegates.split && !p->pages && has_gather(p) && grid_device_has_windows(p->in.n);
}

static GrB_Info begin_input(const grid_product *p) {
  const grid_device_transport *transport;
  grid_device_input *g = p->input;
  GrB_Info info = GrB_SUCCESS;
  if (g->is_begun) return info;
  TRY(grid_device_transport_get(&transport));
  TRY(grid_device_expand_begin(&g->expand, p, transport, x_size(p)));
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
  TRY(begin_input(p));
  if (!grid_device_form_has_windows(g->expand.form)) return info;
  info = allocate_input(p);
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

static GrB_Info spread_mask(grid_product *p, const grid_device_transport *t, const grid_axis *axis,
                            const buffers *r, GrB_Info info, grid_kernel_mask *a) {
  const grid_mask *m = &p->mask;
  *a = (grid_kernel_mask){.bits = m->bits, .complement = m->complement};
  if (has_fold(p) && !p->choice.spreads_mask) a->bits = NULL; /* the owners filter */
  if (has_fold(p) && p->choice.spreads_mask) {
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

/* ---- local product ---- */

/* Does the local product give the whole result of this process's outputs? */
static bool has_direct_output(const grid_product *p) {
  return !has_fold(p) && !p->A->delegates.split;
}

/* Does the mask allow no output of this process? Such a mask has no bits. */
static bool is_mask_empty(const grid_product *p) {
  return !has_fold(p) && grid_mask_is_empty(&p->mask);
}

static GrB_Info run_block(grid_product *p, const grid_axis *in_axis, const grid_axis *axis,
                          const grid_input *in, const grid_kernel_mask *mask, const buffers *r,
                          grid_chunk *t) {
  uint64_t *bits = has_fold(p) ? r->ybits : t->bits;
  void *val = has_fold(p) ? r->y : p->values.structural ? NULL : t->val;
  const uint64_t outputs = has_fold(p) ? total_outputs(p) : t->n;
  /* the count may be read later: no other step needs it */
  const bool late =
      grid_device_is_count_deferred() && has_direct_output(p) && !axis->ids && !grid_is_tracing();
  grid_output y = {.n = outputs, .bits = bits, .val = val, .late = late};
  GrB_Info info = GrB_SUCCESS;
  const bool is_empty = in->nx == 0 || p->A->block.nvals == 0 || is_mask_empty(p),
             adds_to_w = !is_empty && has_direct_output(p) && grid_product_adds_to_w(p, axis);
  TRY(adds_to_w ? grid_product_start_from_w(p, t) : grid_device_zero(bits, 8 * grid_words(outputs)));
  if (is_empty) return info;
  y.full = adds_to_w;
  if (axis->ids) {
    y = (grid_output){.n = axis->n, .bits = r->yat, .val = r->yat_values};
    TRY(grid_device_zero(y.bits, 8 * grid_words(y.n)));
  }
  const grid_index_map where = grid_product_index_map(p, in_axis);
  TRY(grid_device_time_begin());
  TRY(p->pages ? grid_run_paged_device(p, in, mask, where, &y)
      : p->A->block.host_resident
          ? grid_run_device_pages(p, in, mask, where, &y)
          : grid_run_lmat(p, &p->A->block, p->transposed, p->choice.pull, in, mask, where, &y));
  TRY(grid_device_time_end());
  t->nvals = y.found, t->ticket = y.ticket;
  if (axis->ids) TRY(grid_cuda->products->scatter_axis(bits, val, y.bits, y.val, y_size(p), axis));
  if (adds_to_w) grid_product_added_to_w(p, t);
done:
  return info;
}

/* ---- fold ---- */

/* found: the sum over all processes. */
static GrB_Info send_contributions(grid_product *p, const grid_device_transport *t, const buffers *r,
                                   uint64_t found, GrB_Info info) {
  const grid_set set = p->out.set;
  const uint64_t n = p->out.n,
                 others = grid_member_offset(set, n, grid_set_size(set)) - grid_local_padded_size(n);
  if (grid_device_fits_slots(p, found, y_size(p)))
    return grid_device_slots_fold(p, info, y_size(p), r->ybits, r->y, r->segments, r->segment_values);
  p->stats.fold_bytes += others / 8 + others * y_size(p);
  info = grid_first_failure(info, grid_device_exchange_chunks(t, set, n, 1, r->ybits, r->segments));
  if (y_size(p))
    info = grid_first_failure(info,
                              grid_device_exchange_chunks(t, set, n, 8 * y_size(p), r->y, r->segment_values));
  return info;
}

static GrB_Info finish(grid_product *p, const buffers *r, grid_delegates_device *g, grid_chunk *t) {
  const grid_segments w = {.bits = r->segments,
                           .val = r->segment_values,
                           .q = grid_local_padded_size(p->out.n),
                           .n = t->n,
                           .count = (uint64_t)grid_set_size(p->out.set)};
  GrB_Info info = GrB_SUCCESS;
  if (t->n == 0 || t->format == GRID_FULL) return info;
  if (has_fold(p)) TRY(grid_product_add_segments(p, &w, t));
  if (p->A->delegates.split) TRY(grid_delegates_device_add(p, g, t));
  if (t->nvals == 0) return info;
  t->format = GRID_BITMAP;
  t->iso = p->values.structural;
  if (!t->iso) return info;
  memcpy(t->host_value, p->values.constant, t->type->size);
  TRY(grid_cuda->chunks->fill(t->val, t->host_value, t->type->size, 1));
done:
  return info;
}

/* As grid_agree_supported; *found = the sum of `local` over all processes. */
static GrB_Info agree_on_found(grid_head *head, GrB_Info info, uint64_t local, uint64_t *found) {
  uint64_t v[2] = {info == GRID_UNSUPPORTED, local};
  info = grid_agree_sum(head, v[0] ? GrB_SUCCESS : info, v, 2);
  *found = v[1];
  return info == GrB_SUCCESS && v[0] ? GRID_UNSUPPORTED : info;
}

/* ---- all steps ---- */

GrB_Info grid_product_multiply_grid(grid_product *p, grid_chunk *t) {
  const grid_local_matrix *block = &p->A->block;
  const grid_axis *in_axis = grid_in_axis(p, block), *out_axis = grid_out_axis(p, block);
  const bool split = p->A->delegates.split != NULL;
  const grid_device_transport *transport;
  grid_head *head = &p->A->head;
  buffers r = {0};
  grid_delegates_device g = {0};
  grid_input in = {0};
  grid_kernel_mask mask = {0};
  uint64_t found = 0, refusals;
  GrB_Info info = GrB_SUCCESS;
  double since = grid_product_now();
  if (p->n.nx == 0 || p->n.allowed == 0 || p->A->nvals == 0) return info; /* the same on all processes */
  TRY(grid_device_transport_get(&transport));
  TRY(begin_input(p));
  refusals = grid_device_oom_count();
  info = allocate_buffers(p, in_axis, out_axis, t, &r);
  if (split && info == GrB_SUCCESS) info = grid_delegates_device_allocate(p, &g);
  if (!has_direct_output(p) || !p->input->is_gathered)
    TRY(grid_agree_supported(head, grid_device_oom_to_unsupported(info, refusals)));
  p->choice.not_agreed = has_direct_output(p); /* no message depends on the outcome before the end */
  if (split) info = grid_delegates_device_gather(p, transport, &g);
  grid_product_lap(p, &p->stats.delegate_ms, &since);
  info = expand(p, in_axis, &r, info, &in);
  grid_product_lap(p, &p->stats.expand_ms, &since);
  info = spread_mask(p, transport, out_axis, &r, info, &mask);
  grid_product_lap(p, &p->stats.mask_ms, &since);
  if (split && info == GrB_SUCCESS) info = grid_delegates_device_run(p, &g, t->n);
  if (info == GrB_SUCCESS) info = run_block(p, in_axis, out_axis, &in, &mask, &r, t);
  info = grid_device_oom_to_unsupported(info, refusals);
  if (!p->choice.not_agreed) info = agree_on_found(head, info, t->nvals, &found);
  TRY(info);
  grid_product_lap(p, &p->stats.local_ms, &since);
  if (split) info = grid_delegates_device_send(p, transport, &g);
  if (has_fold(p)) info = send_contributions(p, transport, &r, found, info);
  if (info == GrB_SUCCESS) info = finish(p, &r, &g, t);
  if (!p->choice.not_agreed) info = grid_agree_supported(head, info);
  grid_product_lap(p, &p->stats.fold_ms, &since);
done:
  grid_delegates_device_free(&g);
  grid_device_free(r.memory);
  return info;
}
