/* Sends x with the counts of its product (docs/how/communication.md). The method follows from
 * sums over the grid, and the form in which x is sent from the method. A process predicts the sums from its
 * terms, and sends x with these in the form of the predicted method. If that is the chosen one, x is not sent
 * again; else the payload is ignored, and x is expanded. */
#include "dist/delegates/owner_requests.h"
#include "dist/comm/transport/shm/shm_exchange.h"
#include "dist/product/mxv/mxv.h"
#include "dist/product/exchange/push_along_rows.h"
#include "dist/product/exchange/update_set.h"
#include "dist/product/exchange/view_order.h"

/* ---- forms ---- */

/* Forms of a payload: all of x; the bits of its delegates; the targets of its vertices. Of a full x, it is
 * what blocks name or, in shared memory, all of it in order of degree. A sum over the processes counts, in 16
 * bits for each form, the processes that have not sent it. */
#define WHOLE         UINT64_C(1)
#define DELEGATES     (UINT64_C(1) << 16)
#define PUSH_MESSAGES (UINT64_C(1) << 32)
#define FULL_X        (UINT64_C(1) << 48)
#define ANY_FORM      (WHOLE | DELEGATES | PUSH_MESSAGES | FULL_X)

static bool has_form(const grid_prefetched *c, uint64_t form) {
  return (c->missing_forms & form * UINT16_MAX) == 0;
}

void grid_payload_use(grid_product *p) {
  grid_prefetched *c = &p->prefetched;
  const bool by_delegates = p->choice.pull && p->choice.uses_requests,
             by_messages = c->delivery == GRID_PAYLOAD_MESSAGES,
             shm_view = c->delivery == GRID_PAYLOAD_SHM && p->choice.pull &&
                        grid_shm_rounds(GRID_SET_ALL) - c->turn <= 2; /* not overwritten yet */
  const bool sends_x = !by_delegates && !p->choice.pushes_rows;
  c->whole = sends_x && (by_messages || shm_view) && has_form(c, WHOLE);
  c->update_set = sends_x && by_messages && has_form(c, FULL_X) && p->n.nx == p->in.n &&
                  p->A->cached.update_sets[p->transposed].expected;
  c->ordered = sends_x && shm_view && has_form(c, FULL_X) && p->n.nx == p->in.n;
  c->delegates = by_delegates && by_messages && has_form(c, DELEGATES);
  c->push_messages = p->choice.pushes_rows && by_messages && has_form(c, PUSH_MESSAGES);
}

/* ---- sending ---- */

static size_t value_size(const grid_product *p) {
  return !p->values.uses_x ? 0 : p->values.flip ? p->s->mul->x->size : p->s->mul->y->size;
}

void grid_payload_begin(const grid_product *p, grid_prefetched *c) {
  *c = (grid_prefetched){.delivery = GRID_PAYLOAD_NONE};
  if (grid_ctx.P == 1 || p->pages || p->where != GRID_ON_HOST || p->A->delegates.split ||
      grid_set_size(p->in.set) != grid_ctx.P)
    return;
  c->missing_forms = ANY_FORM;
  if (grid_can_send_payload(p->in.set))
    c->delivery = GRID_PAYLOAD_MESSAGES;
  else if (grid_shm_view_reserve(&c->shm_view, GRID_SET_ALL, grid_in_dim(p), value_size(p), false))
    c->delivery = GRID_PAYLOAD_SHM, c->turn = grid_shm_rounds(GRID_SET_ALL);
}

/* Writes a message to all processes. */
static GrB_Info write_message(grid_product *p, const grid_entries_out *e, size_t head, uint64_t *sent) {
  grid_comm_buffers *w = &p->A->cached.buffers;
  const size_t S = (size_t)grid_ctx.P, bytes = grid_message_size(e);
  GrB_Info info = grid_comm_buffers_reserve(w, head + bytes);
  if (info != GrB_SUCCESS) return info;
  grid_message_write(e, w->send + head);
  for (size_t s = 0; s < S; s++) w->counts[s] = head + bytes, w->counts[S + s] = 0;
  grid_count_messages(p, e, grid_ctx.P - 1);
  *sent += bytes * (S - 1);
  return GrB_SUCCESS;
}

static GrB_Info write_delegates(grid_product *p, size_t head) {
  uint64_t *bits;
  grid_entries_out e;
  GrB_Info info = grid_requests_delegate_bits(p, &bits, &e);
  if (info == GrB_SUCCESS) info = write_message(p, &e, head, &p->stats.delegate_bytes);
  grid_free(bits);
  return info;
}

/* Writes the payload as messages. Returns its form, or 0. */
static uint64_t write_messages(grid_product *p, size_t head) {
  if (p->choice.pushes_rows)
    return !p->transposed && grid_push_rows_write(p, head) == GrB_SUCCESS ? PUSH_MESSAGES : 0;
  if (p->choice.pull && p->choice.uses_requests)
    return write_delegates(p, head) == GrB_SUCCESS ? DELEGATES : 0;
  if (grid_update_set_is_expected(p)) return grid_update_set_write(p, head) == GrB_SUCCESS ? FULL_X : 0;
  const grid_entries_out e = grid_entries_of_chunk(p->x, p->values.uses_x);
  return write_message(p, &e, head, &p->stats.expand_bytes) == GrB_SUCCESS ? WHOLE : 0;
}

static uint64_t write_shm_view(grid_product *p, const grid_prefetched *c) {
  if (!p->choice.pull || p->choice.uses_requests) return 0;
  const grid_entries_out e = grid_entries_of_chunk(p->x, p->values.uses_x);
  grid_count_messages(p, &e, grid_ctx.P - 1);
  p->stats.expand_bytes += grid_message_size(&e) * (uint64_t)(grid_ctx.P - 1);
  if (grid_view_order_is_expected(p)) {
    grid_view_order_write(p, &c->shm_view);
    return FULL_X;
  }
  grid_shm_view_write(&c->shm_view, p->x, grid_in_offset(p, (size_t)grid_set_rank(p->in.set)), value_size(p));
  return WHOLE;
}

static void write_empty_view(const grid_product *p, const grid_prefetched *c, const grid_chunk *x) {
  const grid_chunk none = {.n = x->n, .format = GRID_LIST};
  grid_shm_view_write(&c->shm_view, &none, grid_in_offset(p, (size_t)grid_set_rank(p->in.set)), 0);
}

static void add_messages(Grid_Product *to, const Grid_Product *from) {
  to->expand_bytes += from->expand_bytes;
  to->fold_bytes += from->fold_bytes;
  to->delegate_bytes += from->delegate_bytes;
  to->list_messages += from->list_messages;
  to->bitmap_messages += from->bitmap_messages;
}

bool grid_payload_write(grid_mxv_call *x, const grid_chunk *chunk, const grid_counts *predicted, size_t n,
                        grid_prefetched *c) {
  grid_product *p = &x->p;
  uint64_t written;
  if (c->delivery == GRID_PAYLOAD_NONE) return false;
  if (chunk->nvals == 0) { /* no message is every form */
    if (c->delivery == GRID_PAYLOAD_SHM) write_empty_view(p, c, chunk);
    c->missing_forms = 0;
    return false;
  }
  grid_mxv_call predicted_call = *x;
  grid_product *next = &predicted_call.p;
  next->x = chunk;
  next->n = *predicted;
  next->values.structural = false;
  next->prefetched = (grid_prefetched){.delivery = GRID_PAYLOAD_NONE};
  next->stats = (Grid_Product){0};
  grid_mxv_choose(&predicted_call);
  written = c->delivery == GRID_PAYLOAD_MESSAGES ? write_messages(next, grid_payload_header(n))
                                                 : write_shm_view(next, c);
  c->missing_forms = ANY_FORM & ~written;
  add_messages(&p->stats, &next->stats);
  return c->delivery == GRID_PAYLOAD_MESSAGES && written;
}

GrB_Info grid_payload_agree(grid_product *p, grid_head *head, GrB_Info info, uint64_t *v, size_t n,
                            bool written, grid_prefetched *c) {
  if (c->delivery == GRID_PAYLOAD_NONE) return grid_agree_sum(head, info, v, n - 1);
  v[n - 1] = c->missing_forms;
  if (c->delivery == GRID_PAYLOAD_SHM)
    info = grid_agree_sum(head, info, v, n);
  else
    info = grid_agree_sum_payload(&p->A->cached.buffers, head, info, v, n, written, &c->got, &c->info,
                                  &p->stats.number_bytes);
  c->missing_forms = v[n - 1];
  return info;
}
