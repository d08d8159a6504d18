/* Writes the result, and agrees on the outcome (mxv.h). */
#include "dist/delegates/owner_requests.h"
#include "dist/product/mxv/mxv.h"
#include "spmat/device/device.h"

/* This process's terms of the counts of the next product in a loop, whose x is t and whose mask also forbids
 * t's entries. */
static void count_next_product(const grid_product *p, const grid_product_call *a, const grid_chunk *t,
                               uint64_t v[GRID_PIGGYBACK_WORDS]) {
  grid_product next = *p;
  grid_remote_edges o = {0};
  next.x = t;
  v[1] = grid_mxv_count_edges(&next);
  grid_mxv_count_values(p, t, &v[2]);
  if (p->choice.can_use_requests) grid_requests_count_edges(&next, &o);
  if (p->choice.can_use_requests) o.delegate_entries -= grid_requests_delegate_edges(&next);
  v[5] = o.delegates, v[6] = o.normals, v[7] = o.pushed, v[8] = o.delegate_entries;
  grid_piggyback_capacities(a, t, v);
}

/* Writes the next product's x, to be sent with its counts. */
static bool write_next_prefetch(grid_mxv_call *x, const uint64_t v[GRID_PIGGYBACK_WORDS],
                                grid_prefetched *next) {
  const grid_product *p = &x->p;
  const uint64_t local[7] = {v[0], v[1], 0, 0, v[2], v[3], v[4]}, found = v[0] * (uint64_t)grid_ctx.P;
  grid_counts f = grid_mxv_predict_counts(local, &(grid_remote_edges){v[5], v[6], v[7], 0}, p->n.rows);
  f.allowed = p->n.allowed > found ? p->n.allowed - found : 0;
  f.allowed_nonempty = p->n.allowed_nonempty > found ? p->n.allowed_nonempty - found : 0;
  return grid_payload_write(x, &x->t, &f, GRID_PIGGYBACK_WORDS + 1, next);
}

/* What is sent with an outcome: n counters, and one more with the next x. */
typedef struct {
  grid_product *p;
  uint64_t v[GRID_PIGGYBACK_WORDS + 1];
  size_t n;
  bool is_prefetch_written;
  grid_prefetched next;
} agreement;

static GrB_Info agree_outcome(grid_head *head, GrB_Info info, void *context) {
  agreement *g = context;
  if (g->n == 0) return g->p->choice.not_agreed ? grid_agree_supported(head, info) : grid_agree(head, info);
  return grid_payload_agree(g->p, head, info, g->v, g->n + 1, g->is_prefetch_written, &g->next);
}

/* If w gets only t's entries, their number is summed with the outcome. In a loop so are the counts of the
 * next product, and its x is sent if the loop continued the last time. */
GrB_Info grid_mxv_finish(grid_mxv_call *x, bool masked, GrB_Info info) {
  grid_product *p = &x->p;
  const grid_product_call *a = &x->a;
  const grid_desc *d = &x->d;
  grid_chunk *t = &x->t;
  const bool only_t = !a->accum && !grid_device_is_on() &&
                      (p->unmasked || (d->replace && grid_is_product_masked(p))),
             piggybacks = only_t && grid_piggyback_allowed(p, a, d, t);
  agreement g = {
      .p = p, .n = piggybacks ? GRID_PIGGYBACK_WORDS : only_t, .next = {.delivery = GRID_PAYLOAD_NONE}};
  if (piggybacks && grid_piggyback_expects(p, a)) grid_payload_begin(p, &g.next);
  if (info == GrB_SUCCESS) g.v[0] = t->nvals;
  if (info == GrB_SUCCESS && piggybacks) count_next_product(p, a, t, g.v);
  if (info == GrB_SUCCESS && piggybacks) g.is_prefetch_written = write_next_prefetch(x, g.v, &g.next);
  info = grid_finish_with_agreement(a->w, a->mask, a->accum, d, t, masked, info,
                                    (grid_agreement){agree_outcome, &g});
  if (info != GrB_SUCCESS || !only_t) return info;
  a->w->read_cache.nvals = g.v[0];
  a->w->read_cache.counted = grid_calls;
  if (piggybacks) grid_piggyback_store(p, a, g.v, &g.next);
  return info;
}
