/* Numbers and contents together (docs/design.md, "One level's messages"). What a product decides, push or
 * pull, whole or by delegates, follows from sums over the grid, and what is sent of x follows from that. But
 * what the sums will be a process sees, nearly, in its own part of them: so it sends with its numbers what
 * they would ask for if all processes had the same. Where that is what the sums ask for, nothing else is
 * sent. Where it is not, it was in vain, and x travels as if nothing had come. */
#include "dist/delegates/layouts.h"
#include "dist/delegates/questions.h"
#include "dist/grid/near.h"
#include "dist/op/mxv.h"
#include "dist/product/direction.h"
#include "dist/product/part_pages.h"
#include "dist/product/push_rows.h"

/* ---- decisions ---- */

void grid_product_decide(grid_product *p) {
  p->asks = p->may_ask;
  grid_find_structural(p);
  p->pushes_rows = !p->pages && grid_may_push_rows(p) &&
                   (grid_here.C > 1 || !grid_push_whole(p->n.nx, p->n.edges, p->nin, grid_here.P));
  grid_choose_direction(p);
  p->pushes_rows = p->pushes_rows && !p->pull;
  if (p->pages) grid_paged_direction(p);
  grid_questions_choose(p);
  grid_choose_mask_spread(p);
}

/* ---- forms ---- */

/* x itself, for all; the bits of its delegates; what its vertices meet in their rows. As numbers that are
 * summed: how many processes lack it, in 16 bits for each form. */
#define WHOLE     UINT64_C(1)
#define DELEGATES (UINT64_C(1) << 16)
#define TARGETS   (UINT64_C(1) << 32)
#define ANY_FORM  (WHOLE | DELEGATES | TARGETS)

static bool is_here(const grid_arrived *c, uint64_t form) {
  return (c->lacks & form * UINT16_MAX) == 0;
}

void grid_contents_use(grid_product *p) {
  grid_arrived *c = &p->came;
  const bool by_delegates = p->pull && p->asks, told = c->way == GRID_TOLD,
             shown = c->way == GRID_SHOWN && p->pull && grid_near_turns - c->turn <= 2; /* stands */
  c->whole = !by_delegates && !p->pushes_rows && (told || shown) && is_here(c, WHOLE);
  c->delegates = by_delegates && told && is_here(c, DELEGATES);
  c->targets = p->pushes_rows && told && is_here(c, TARGETS);
}

/* ---- sending ---- */

static size_t value_size(const grid_product *p) {
  return !p->x_used ? 0 : p->flip ? p->s->mul->x->size : p->s->mul->y->size;
}

void grid_contents_begin(const grid_product *p, grid_arrived *c) {
  *c = (grid_arrived){.way = GRID_APART};
  if (grid_here.P == 1 || p->pages || p->where != GRID_ON_HOST || p->A->split ||
      grid_set_size(p->gather) != grid_here.P)
    return;
  c->lacks = ANY_FORM;
  if (grid_tells(p->gather))
    c->way = GRID_TOLD;
  else if (grid_show_room(&c->shown, grid_in_dim(p), value_size(p), false))
    c->way = GRID_SHOWN, c->turn = grid_near_turns;
}

/* Messages for all: the same piece for each. */
static GrB_Info write_message(grid_product *p, const grid_entries_out *e, size_t head, uint64_t *sent) {
  grid_workspace *w = &p->A->work;
  const size_t S = (size_t)grid_here.P, bytes = grid_message_size(e);
  GrB_Info info = grid_workspace_room(w, head + bytes);
  if (info != GrB_SUCCESS) return info;
  grid_message_write(e, w->send + head);
  for (size_t s = 0; s < S; s++) w->counts[s] = head + bytes, w->counts[S + s] = 0;
  grid_count_messages(p, e, grid_here.P - 1);
  *sent += bytes * (S - 1);
  return GrB_SUCCESS;
}

static GrB_Info write_delegates(grid_product *p, size_t head) {
  uint64_t *bits;
  grid_entries_out e;
  GrB_Info info = grid_questions_delegates(p, &bits, &e);
  if (info == GrB_SUCCESS) info = write_message(p, &e, head, &p->stats.delegate_bytes);
  grid_free(bits);
  return info;
}

/* Gives the form that is written. */
static uint64_t write_told(grid_product *p, size_t head) {
  if (p->pushes_rows) return !p->transposed && grid_push_rows_write(p, head) == GrB_SUCCESS ? TARGETS : 0;
  if (p->pull && p->asks) return write_delegates(p, head) == GrB_SUCCESS ? DELEGATES : 0;
  const grid_entries_out e = grid_entries_of_chunk(p->x, p->x_used);
  return write_message(p, &e, head, &p->stats.expand_bytes) == GrB_SUCCESS ? WHOLE : 0;
}

static uint64_t write_shown(grid_product *p, const grid_arrived *c) {
  if (!p->pull || p->asks) return 0;
  const grid_entries_out e = grid_entries_of_chunk(p->x, p->x_used);
  grid_show_write(&c->shown, p->x, grid_in_place(p, (size_t)grid_set_rank(p->gather)), value_size(p));
  grid_count_messages(p, &e, grid_here.P - 1);
  p->stats.expand_bytes += grid_message_size(&e) * (uint64_t)(grid_here.P - 1);
  return WHOLE;
}

static void show_nothing(const grid_product *p, const grid_arrived *c, const grid_chunk *x) {
  const grid_chunk none = {.n = x->n, .format = GRID_LIST};
  grid_show_write(&c->shown, &none, grid_in_place(p, (size_t)grid_set_rank(p->gather)), 0);
}

static void add_messages(Grid_Product *to, const Grid_Product *from) {
  to->expand_bytes += from->expand_bytes;
  to->fold_bytes += from->fold_bytes;
  to->delegate_bytes += from->delegate_bytes;
  to->list_messages += from->list_messages;
  to->bitmap_messages += from->bitmap_messages;
}

bool grid_contents_write(grid_product *p, const grid_chunk *x, const grid_counts *foreseen, size_t n,
                         grid_arrived *c) {
  grid_product next = *p;
  uint64_t written;
  if (c->way == GRID_APART) return false;
  if (x->nvals == 0) { /* whatever is asked for, nothing is that */
    if (c->way == GRID_SHOWN) show_nothing(p, c, x);
    c->lacks = 0;
    return false;
  }
  next.x = x;
  next.n = *foreseen;
  next.structural = false;
  next.came = (grid_arrived){.way = GRID_APART};
  next.stats = (Grid_Product){0};
  grid_product_decide(&next);
  written = c->way == GRID_TOLD ? write_told(&next, grid_told_head(n)) : write_shown(&next, c);
  c->lacks = ANY_FORM & ~written;
  add_messages(&p->stats, &next.stats);
  return c->way == GRID_TOLD && written;
}

GrB_Info grid_contents_agree(grid_product *p, grid_head *head, GrB_Info info, uint64_t *v, size_t n,
                             bool written, grid_arrived *c) {
  if (c->way == GRID_APART) return grid_agree_sum(head, info, v, n - 1);
  v[n - 1] = c->lacks;
  if (c->way == GRID_SHOWN)
    info = grid_agree_sum(head, info, v, n);
  else
    info = grid_tell(&p->A->work, head, info, v, n, written, &c->got, &c->info, &p->stats.number_bytes);
  c->lacks = v[n - 1];
  return info;
}
