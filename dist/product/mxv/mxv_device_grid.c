/* A product on several processes whose operands, messages and result are all in device
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
#include "dist/product/local/paged_device_product.h"
#include "dist/product/local/streamed_product.h"
#include "dist/product/mxv/mxv_device_grid.h"
#include "semiring/support/tuning.h"

bool grid_product_fits_grid(const grid_product *p) {
  return p->in.n <= grid_tune.mxv_dense_max && p->out.n <= grid_tune.mxv_dense_max;
}

/* ---- memory ---- */

static uint64_t total_outputs(const grid_product *p) {
  return grid_member_length(p->out.set, p->out.n);
}
/* Indices of the copies of the local chunk that all processes send. */
static uint64_t total_segments(const grid_product *p) {
  return (uint64_t)grid_set_size(p->out.set) * grid_local_padded_size(p->out.n);
}
static size_t y_size(const grid_product *p) {
  return p->values.structural ? 0 : p->s->mul->z->size;
}

/* Sets arrays, and returns their total bytes. */
static uint64_t layout_buffers(const grid_product *p, const grid_axis *in, const grid_axis *out,
                               grid_device_buffers *r) {
  const uint64_t outputs = total_outputs(p), segments = total_segments(p);
  const size_t x = grid_device_x_size(p), y = y_size(p);
  uint64_t used = 0;
  if (in->ids) {
    r->xat = grid_suballocate(r->memory, &used, grid_words(in->n), 8);
    if (x) r->xat_values = grid_suballocate(r->memory, &used, in->n, x);
  }
  if (grid_device_has_fold(p) && p->choice.spreads_mask)
    r->mask = grid_suballocate(r->memory, &used, outputs / 64, 8);
  if (out->ids) {
    r->maskat = grid_suballocate(r->memory, &used, grid_words(out->n), 8);
    r->yat = grid_suballocate(r->memory, &used, grid_words(out->n), 8);
    if (y) r->yat_values = grid_suballocate(r->memory, &used, out->n, y);
  }
  if (grid_device_has_fold(p)) {
    r->ybits = grid_suballocate(r->memory, &used, outputs / 64, 8);
    r->segments = grid_suballocate(r->memory, &used, segments / 64, 8);
    if (y) r->y = grid_suballocate(r->memory, &used, outputs, y);
    if (y) r->segment_values = grid_suballocate(r->memory, &used, segments, y);
  }
  return used;
}

static GrB_Info allocate_buffers(const grid_product *p, const grid_axis *in, const grid_axis *out,
                                 grid_chunk *t, grid_device_buffers *r) {
  const uint64_t bytes = layout_buffers(p, in, out, r);
  GrB_Info info = GrB_SUCCESS;
  r->memory = bytes ? grid_device_malloc(bytes, 1) : NULL;
  if (bytes && !r->memory) TRY(grid_device_fail_memory(NULL, "a product's mask and contributions", bytes, 1));
  (void)layout_buffers(p, in, out, r);
  if (grid_device_has_gather(p) && !p->input->is_gathered) TRY(grid_device_input_allocate(p));
  TRY(grid_chunk_reserve_device(t, true, p->values.structural));
done:
  return info;
}

/* ---- local product ---- */

/* Does the local product give the whole result of this process's outputs? */
static bool has_direct_output(const grid_product *p) {
  return !grid_device_has_fold(p) && !p->A->delegates.split;
}

/* Does the mask allow no output of this process? Such a mask has no bits. */
static bool is_mask_empty(const grid_product *p) {
  return !grid_device_has_fold(p) && grid_mask_is_empty(&p->mask);
}

static GrB_Info run_block(grid_product *p, const grid_axis *in_axis, const grid_axis *axis,
                          const grid_input *in, const grid_kernel_mask *mask, const grid_device_buffers *r,
                          grid_chunk *t) {
  uint64_t *bits = grid_device_has_fold(p) ? r->ybits : t->bits;
  void *val = grid_device_has_fold(p) ? r->y : p->values.structural ? NULL : t->val;
  const uint64_t outputs = grid_device_has_fold(p) ? total_outputs(p) : t->n;
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
static GrB_Info send_contributions(grid_product *p, const grid_device_transport *t,
                                   const grid_device_buffers *r, uint64_t found, GrB_Info info) {
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

static GrB_Info finish(grid_product *p, const grid_device_buffers *r, grid_delegates_device *g,
                       grid_chunk *t) {
  const grid_segments w = {.bits = r->segments,
                           .val = r->segment_values,
                           .q = grid_local_padded_size(p->out.n),
                           .n = t->n,
                           .count = (uint64_t)grid_set_size(p->out.set)};
  GrB_Info info = GrB_SUCCESS;
  if (t->n == 0 || t->format == GRID_FULL) return info;
  if (grid_device_has_fold(p)) TRY(grid_product_add_segments(p, &w, t));
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
  grid_device_buffers r = {0};
  grid_delegates_device g = {0};
  grid_input in = {0};
  grid_kernel_mask mask = {0};
  uint64_t found = 0, refusals;
  GrB_Info info = GrB_SUCCESS;
  double since = grid_product_now();
  if (p->n.nx == 0 || p->n.allowed == 0 || p->A->nvals == 0) return info; /* the same on all processes */
  TRY(grid_device_transport_get(&transport));
  TRY(grid_device_input_begin(p));
  refusals = grid_device_oom_count();
  info = allocate_buffers(p, in_axis, out_axis, t, &r);
  if (split && info == GrB_SUCCESS) info = grid_delegates_device_allocate(p, &g);
  if (!has_direct_output(p) || !p->input->is_gathered)
    TRY(grid_agree_supported(head, grid_device_oom_to_unsupported(info, refusals)));
  p->choice.not_agreed = has_direct_output(p); /* no message depends on the outcome before the end */
  if (split) info = grid_delegates_device_gather(p, transport, &g);
  grid_product_lap(p, &p->stats.delegate_ms, &since);
  info = grid_device_expand_input(p, in_axis, &r, info, &in);
  grid_product_lap(p, &p->stats.expand_ms, &since);
  info = grid_device_spread_mask(p, transport, out_axis, &r, info, &mask);
  grid_product_lap(p, &p->stats.mask_ms, &since);
  if (split && info == GrB_SUCCESS) info = grid_delegates_device_run(p, &g, t->n);
  if (info == GrB_SUCCESS) info = run_block(p, in_axis, out_axis, &in, &mask, &r, t);
  info = grid_device_oom_to_unsupported(info, refusals);
  if (!p->choice.not_agreed) info = agree_on_found(head, info, t->nvals, &found);
  TRY(info);
  grid_product_lap(p, &p->stats.local_ms, &since);
  if (split) info = grid_delegates_device_send(p, transport, &g);
  if (grid_device_has_fold(p)) info = send_contributions(p, transport, &r, found, info);
  if (info == GrB_SUCCESS) info = finish(p, &r, &g, t);
  if (!p->choice.not_agreed) info = grid_agree_supported(head, info);
  grid_product_lap(p, &p->stats.fold_ms, &since);
done:
  grid_delegates_device_free(&g);
  grid_device_free(r.memory);
  return info;
}
