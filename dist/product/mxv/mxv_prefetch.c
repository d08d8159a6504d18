/* Counters and payload together (docs/design.md, "One level's messages"). What a product decides, push or
 * pull, whole or by delegates, follows from sums over the grid, and what is sent of x follows from that. But
 * what the sums will be a process sees, nearly, in its own part of them: so it sends with its numbers what
 * they would ask for if all processes had the same. Where that is what the sums ask for, nothing else is
 * sent. Where it is not, it was in vain, and x travels as if nothing had come. */
#include "dist/plan/layout_cost.h"
#include "dist/delegates/owner_requests.h"
#include "dist/comm/transport/shm_exchange.h"
#include "dist/product/mxv/mxv.h"
#include "dist/plan/push_pull.h"
#include "dist/product/local/local_product_outofcore.h"
#include "dist/product/exchange/push_along_rows.h"

/* ---- decisions ---- */

void grid_product_decide(grid_product *p) {
  p->uses_requests = p->can_use_requests;
  grid_find_structural(p);
  p->pushes_rows = !p->pages && grid_can_push_rows(p) &&
                   (grid_ctx.C > 1 || !grid_is_push_by_columns(p->n.nx, p->n.edges, p->nin, grid_ctx.P));
  grid_choose_direction(p);
  p->pushes_rows = p->pushes_rows && !p->pull;
  if (p->pages) grid_paged_direction(p);
  grid_requests_choose(p);
  grid_choose_mask_spread(p);
}

/* ---- forms ---- */

/* x itself, for all; the bits of its delegates; what its vertices meet in their rows. As numbers that are
 * summed: how many processes lack it, in 16 bits for each form. */
#define WHOLE         UINT64_C(1)
#define DELEGATES     (UINT64_C(1) << 16)
#define PUSH_MESSAGES (UINT64_C(1) << 32)
#define ANY_FORM      (WHOLE | DELEGATES | PUSH_MESSAGES)

static bool has_form(const grid_prefetched *c, uint64_t form) {
  return (c->missing_forms & form * UINT16_MAX) == 0;
}

void grid_payload_use(grid_product *p) {
  grid_prefetched *c = &p->prefetched;
  const bool by_delegates = p->pull && p->uses_requests, by_messages = c->delivery == GRID_PAYLOAD_MESSAGES,
             shm_view =
                 c->delivery == GRID_PAYLOAD_SHM && p->pull && grid_shm_rounds - c->turn <= 2; /* stands */
  c->whole = !by_delegates && !p->pushes_rows && (by_messages || shm_view) && has_form(c, WHOLE);
  c->delegates = by_delegates && by_messages && has_form(c, DELEGATES);
  c->push_messages = p->pushes_rows && by_messages && has_form(c, PUSH_MESSAGES);
}

/* ---- sending ---- */

static size_t value_size(const grid_product *p) {
  return !p->uses_x_values ? 0 : p->flip ? p->s->mul->x->size : p->s->mul->y->size;
}

void grid_payload_begin(const grid_product *p, grid_prefetched *c) {
  *c = (grid_prefetched){.delivery = GRID_PAYLOAD_NONE};
  if (grid_ctx.P == 1 || p->pages || p->where != GRID_ON_HOST || p->A->delegates.split ||
      grid_set_size(p->gather) != grid_ctx.P)
    return;
  c->missing_forms = ANY_FORM;
  if (grid_can_send_payload(p->gather))
    c->delivery = GRID_PAYLOAD_MESSAGES;
  else if (grid_shm_view_reserve(&c->shm_view, grid_in_dim(p), value_size(p), false))
    c->delivery = GRID_PAYLOAD_SHM, c->turn = grid_shm_rounds;
}

/* Messages for all: the same segment for each. */
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

/* Gives the form that is written. */
static uint64_t write_messages(grid_product *p, size_t head) {
  if (p->pushes_rows)
    return !p->transposed && grid_push_rows_write(p, head) == GrB_SUCCESS ? PUSH_MESSAGES : 0;
  if (p->pull && p->uses_requests) return write_delegates(p, head) == GrB_SUCCESS ? DELEGATES : 0;
  const grid_entries_out e = grid_entries_of_chunk(p->x, p->uses_x_values);
  return write_message(p, &e, head, &p->stats.expand_bytes) == GrB_SUCCESS ? WHOLE : 0;
}

static uint64_t write_shm_view(grid_product *p, const grid_prefetched *c) {
  if (!p->pull || p->uses_requests) return 0;
  const grid_entries_out e = grid_entries_of_chunk(p->x, p->uses_x_values);
  grid_shm_view_write(&c->shm_view, p->x, grid_in_offset(p, (size_t)grid_set_rank(p->gather)), value_size(p));
  grid_count_messages(p, &e, grid_ctx.P - 1);
  p->stats.expand_bytes += grid_message_size(&e) * (uint64_t)(grid_ctx.P - 1);
  return WHOLE;
}

static void write_empty_view(const grid_product *p, const grid_prefetched *c, const grid_chunk *x) {
  const grid_chunk none = {.n = x->n, .format = GRID_LIST};
  grid_shm_view_write(&c->shm_view, &none, grid_in_offset(p, (size_t)grid_set_rank(p->gather)), 0);
}

static void add_messages(Grid_Product *to, const Grid_Product *from) {
  to->expand_bytes += from->expand_bytes;
  to->fold_bytes += from->fold_bytes;
  to->delegate_bytes += from->delegate_bytes;
  to->list_messages += from->list_messages;
  to->bitmap_messages += from->bitmap_messages;
}

bool grid_payload_write(grid_product *p, const grid_chunk *x, const grid_counts *predicted, size_t n,
                        grid_prefetched *c) {
  grid_product next = *p;
  uint64_t written;
  if (c->delivery == GRID_PAYLOAD_NONE) return false;
  if (x->nvals == 0) { /* whatever is asked for, nothing is that */
    if (c->delivery == GRID_PAYLOAD_SHM) write_empty_view(p, c, x);
    c->missing_forms = 0;
    return false;
  }
  next.x = x;
  next.n = *predicted;
  next.structural = false;
  next.prefetched = (grid_prefetched){.delivery = GRID_PAYLOAD_NONE};
  next.stats = (Grid_Product){0};
  grid_product_decide(&next);
  written = c->delivery == GRID_PAYLOAD_MESSAGES ? write_messages(&next, grid_payload_header(n))
                                                 : write_shm_view(&next, c);
  c->missing_forms = ANY_FORM & ~written;
  add_messages(&p->stats, &next.stats);
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
