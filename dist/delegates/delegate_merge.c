/* Results of delegates, merged over the grid (delegate_steps.h): each process needs those of its own
 * delegates alone. */
#include <string.h>

#include "dist/delegates/delegate_steps.h"
#include "spmat/vector/bitmap_words.h"

/* Contributions to some delegates, of which each process has some. */
typedef struct {
  uint64_t *open; /* delegates without a result yet, the same on all processes */
  uint64_t *bits; /* this process's contributions, */
  char *val;      /* with values */
} contributions;

/* Messages to the owners, each of positions among the owner's delegates, and values. */
typedef struct {
  grid_entries_out *segment;
  uint64_t *list;
  char *val, *send;
  void *recv;
  size_t *bytes; /* 4 P: sizes and offsets, of what is sent and received */
} owner_messages;

/* The contributions to owner k's delegates, with their list and values from position `from` on. */
static grid_entries_out list_contributions(const grid_product *p, const contributions *c,
                                           const owner_messages *m, int k, uint64_t from) {
  const grid_split *s = p->A->delegates.split;
  const size_t size = grid_delegates_size(p);
  const uint64_t length = s->start[k + 1] - s->start[k];
  uint64_t *list = m->list + from, count = 0;
  char *val = m->val + from * size;
  for (uint64_t i = 0; i < length; i++) {
    const uint64_t number = s->order[s->start[k] + i];
    if (!grid_bit(c->bits, number)) continue;
    grid_value_copy(val + count * size, c->val + number * size, size);
    list[count++] = i;
  }
  return (grid_entries_out){.n = length,
                            .count = count,
                            .list = list,
                            .val = val,
                            .size = size,
                            .narrow = grid_has_narrow_values(p)};
}

static GrB_Info pack_for_owners(grid_product *p, const contributions *c, owner_messages *m) {
  const size_t P = (size_t)grid_ctx.P, size = grid_delegates_size(p);
  const uint64_t n = grid_count_bits(c->bits, grid_words(p->A->delegates.split->d));
  uint64_t at = 0, end = 0;
  m->bytes = grid_malloc(4 * P, sizeof *m->bytes);
  m->segment = grid_malloc(P, sizeof *m->segment);
  m->list = grid_malloc(n, sizeof *m->list);
  m->val = grid_malloc(n, size);
  if (!m->bytes || !m->segment || !m->list || !m->val)
    return grid_fail_memory(NULL, "contributions to delegates", n, 8 + size);
  for (size_t k = 0; k < P; k++) {
    grid_entries_out *e = &m->segment[k];
    *e = list_contributions(p, c, m, (int)k, at);
    m->bytes[k] = grid_message_size(e), m->bytes[P + k] = end;
    at += e->count, end += m->bytes[k];
    if (k == (size_t)grid_ctx.k) continue;
    grid_count_messages(p, e, 1);
    p->stats.delegate_bytes += m->bytes[k];
  }
  if (!(m->send = grid_malloc(end, 1))) return grid_fail_memory(NULL, "messages", end, 1);
  for (size_t k = 0; k < P; k++) grid_message_write(&m->segment[k], m->send + m->bytes[P + k]);
  return GrB_SUCCESS;
}

/* Adds what came for this process's delegates to g. */
static void add_contributions(const grid_product *p, grid_delegates *g, const owner_messages *m) {
  const grid_split *s = p->A->delegates.split;
  const uint32_t *numbers = s->order + s->start[grid_ctx.k];
  const size_t P = (size_t)grid_ctx.P, size = grid_delegates_size(p);
  for (size_t r = 0; r < P; r++) {
    const grid_message got = grid_message_read((char *)m->recv + m->bytes[3 * P + r], m->bytes[2 * P + r]);
    for (grid_message_iter it = grid_message_begin(&got); grid_message_next(&it);) {
      const uint64_t number = numbers[it.i];
      char *to = g->val + number * size;
      if (!grid_bit(g->found, number))
        memcpy(to, it.v, size);
      else if (!p->s->add->any)
        p->s->add->op->f(to, to, it.v);
      g->found[number >> 6] |= UINT64_C(1) << (number & 63);
    }
  }
}

/* Sends contributions with values to the owners, who add them to g. Those that g itself has are no results
 * then. Collective, agreed on. */
static GrB_Info merge_values(grid_product *p, grid_delegates *g, const contributions *c, GrB_Info info) {
  const size_t P = (size_t)grid_ctx.P;
  owner_messages m = {.segment = NULL};
  if (info == GrB_SUCCESS) info = pack_for_owners(p, c, &m);
  TRY(grid_agree(&p->A->head, info));
  TRY(grid_exchange_alloc(GRID_SET_ALL, m.send, m.bytes, m.bytes + P, &m.recv, m.bytes + 2 * P,
                          m.bytes + 3 * P));
  if (c->bits == g->found) memset(g->found, 0, grid_words(p->A->delegates.split->d) * 8);
  add_contributions(p, g, &m);
done:
  grid_free(m.bytes), grid_free(m.segment), grid_free(m.list), grid_free(m.val);
  grid_free(m.send), grid_free(m.recv);
  return info;
}

GrB_Info grid_delegates_find_local(grid_product *p, grid_delegates *g, GrB_Info info) {
  const grid_split *s = p->A->delegates.split;
  const uint64_t words = grid_words(s->d);
  grid_output y = {.n = s->d, .bits = g->found, .val = g->val};
  uint64_t *allowed = grid_ctx.P == 1 ? g->in.allowed : grid_malloc(words, 8);
  if (info == GrB_SUCCESS && grid_ctx.P > 1 && !allowed)
    info = grid_fail_memory(NULL, "mask of delegates", words, 8);
  for (uint64_t w = 0; w < words && grid_ctx.P > 1 && allowed; w++)
    allowed[w] = s->local_numbers[w] & (g->in.allowed ? g->in.allowed[w] : ~UINT64_C(0));
  if (info == GrB_SUCCESS) info = grid_delegates_run_dd(p, g, allowed, 0, 1, &y);
  if (grid_ctx.P > 1) grid_free(allowed);
  return grid_agree(&p->A->head, info);
}

GrB_Info grid_delegates_sum(grid_product *p, grid_delegates *g, GrB_Info info) {
  grid_output y = {.n = p->A->delegates.split->d, .bits = g->found, .val = g->val};
  if (info == GrB_SUCCESS) info = grid_delegates_run_dn(p, g->in.allowed, &y);
  if (info == GrB_SUCCESS)
    info = grid_delegates_run_dd(p, g, g->in.allowed, (uint64_t)grid_ctx.k, (uint64_t)grid_ctx.P, &y);
  if (grid_ctx.P == 1) return info;
  return merge_values(p, g, &(contributions){.bits = g->found, .val = g->val}, info);
}

static GrB_Info alloc_contributions(const grid_product *p, uint64_t d, contributions *c) {
  const size_t size = grid_delegates_size(p);
  const uint64_t words = grid_words(d);
  c->open = grid_malloc(words, 8);
  c->bits = grid_calloc(words, 8);
  c->val = size ? grid_malloc(d, size) : NULL;
  return c->open && c->bits && (!size || c->val)
             ? GrB_SUCCESS
             : grid_fail_memory(NULL, "contributions to delegates", d, 1 + size);
}

GrB_Info grid_delegates_find(grid_product *p, grid_delegates *g, GrB_Info info) {
  const grid_split *s = p->A->delegates.split;
  const uint64_t words = grid_words(s->d);
  uint64_t open = 0, n = 0, *any = s->merge + 1;
  grid_output y = {.n = s->d, .bits = g->found, .val = g->val};
  contributions c = {.open = NULL};
  if (info == GrB_SUCCESS) info = alloc_contributions(p, s->d, &c);
  if (info == GrB_SUCCESS && s->dd_rows.bits) info = grid_delegates_run_dd(p, g, g->in.allowed, 0, 1, &y);
  for (uint64_t w = 0; w < words && info == GrB_SUCCESS; w++) {
    c.open[w] = (g->in.allowed ? g->in.allowed[w] : grid_tail(s->d, w)) & ~g->found[w];
    open += grid_popcount(c.open[w]);
  }
  grid_output partial = {.n = s->d, .bits = c.bits, .val = c.val};
  if (grid_ctx.P == 1) partial = y;
  if (info == GrB_SUCCESS && open) info = grid_delegates_run_dn(p, c.open, &partial);
  if (info == GrB_SUCCESS && open && !s->dd_rows.bits)
    info = grid_delegates_run_dd(p, g, g->in.allowed, 0, 1, &partial);
  if (grid_ctx.P == 1) goto done;
  s->merge[0] = info != GrB_SUCCESS;
  if (info == GrB_SUCCESS) memcpy(any, c.bits, words * 8);
  const GrB_Info merged = grid_ctx.transport->allreduce(GRID_SET_ALL, s->merge, 1 + words, GRID_BOR);
  if (merged != GrB_SUCCESS) info = merged;
  if (merged != GrB_SUCCESS) goto done;
  if (s->merge[0] || info != GrB_SUCCESS) TRY(grid_agree(&p->A->head, info));
  p->stats.delegate_bytes += words * 8;
  n = grid_count_bits(any, words);
  if (n && grid_delegates_size(p)) TRY(merge_values(p, g, &c, info));
  for (uint64_t w = 0; w < words; w++) g->found[w] |= any[w];
done:
  grid_free(c.open), grid_free(c.bits), grid_free(c.val);
  return info;
}
