/* A level's part of leads (leads.h): their bits travel with x, in one exchange, and the own outputs are tried
 * with them. */
#include <string.h>

#include "dist/grid/layout.h"
#include "dist/object/shown.h"
#include "dist/product/leads.h"
#include "semiring/levels.h"
#include "spmat/vector/words.h"

/* A bitmap over the numbers of leads, and one word more, which says that an output without a lead has none in
 * x. */
static uint64_t words_of(const grid_leads *l) {
  return l->start[grid_here.P] / 64 + 1;
}

/* The own leads in x: bits over their numbers from the first own one on. Returns how many. */
static uint64_t own_leads(const grid_product *p, const grid_leads *l, uint64_t *bits) {
  const grid_chunk *x = p->x;
  uint64_t sum = 0;
  memset(bits, 0, grid_words(l->nown) * sizeof *bits);
  if (x->format == GRID_LIST) {
    for (uint64_t k = 0, m = 0; k < x->nvals; k++) {
      while (m < l->nown && l->own[m] < x->idx[k]) m++;
      if (m < l->nown && l->own[m] == x->idx[k]) bits[m >> 6] |= UINT64_C(1) << (m & 63), sum++;
    }
    return sum;
  }
  for (uint64_t w = 0; w < grid_words(l->nown); w++) {
    const uint64_t n = l->nown - 64 * w < 64 ? l->nown - 64 * w : 64;
    const uint32_t *own = l->own + 64 * w;
    for (uint64_t b = 0; b < n; b++)
      bits[w] |= (x->format == GRID_FULL || (x->nvals && grid_bit(x->bits, own[b])) ? UINT64_C(1) : 0) << b;
    sum += grid_popcount(bits[w]);
  }
  return sum;
}

static grid_entries_out leads_out(const grid_leads *l, const uint64_t *bits, uint64_t count) {
  return (grid_entries_out){.n = l->nown, .count = count, .bits = bits};
}

/* ---- what a process is sent: the leads' message, and, if it shares the block's inputs, x's ---- */

enum { HEAD = 16 }; /* its length; that of the leads' message */

static uint64_t piece_size(const grid_entries_out *leads, const grid_entries_out *x) {
  const uint64_t bytes = grid_message_size(leads) + (x ? grid_message_size(x) : 0);
  return bytes ? HEAD + bytes : 0;
}

static void count_sent(grid_product *p, const grid_entries_out *leads, const grid_entries_out *x) {
  const int others = grid_here.P - 1, with_x = grid_set_size(p->gather) - 1;
  grid_count_messages(p, leads, others);
  grid_count_messages(p, x, with_x);
  p->stats.expand_bytes +=
      piece_size(leads, x) * (uint64_t)with_x + piece_size(leads, NULL) * (uint64_t)(others - with_x);
}

/* ---- memory that all share: x's bits, those that a block wants side by side, and the leads' behind them
 * ---- */

/* In which order chunks stand there: those of a gather set one after the other. */
static int chunk_at(const grid_product *p, int place) {
  return p->transposed ? place % grid_here.C * grid_here.R + place / grid_here.C : place;
}

/* The words before this process's chunk, before its block's, and of all. */
typedef struct {
  uint64_t own, block, all;
} places;

static places find_places(const grid_product *p) {
  const int first = p->transposed ? grid_here.i * grid_here.C : grid_here.j * grid_here.R;
  places at = {0};
  for (int k = 0; k < grid_here.P; k++) {
    if (k == first) at.block = at.all;
    if (chunk_at(p, k) == grid_here.k) at.own = at.all;
    at.all += grid_chunk_room(p->nin, chunk_at(p, k)) / 64;
  }
  return at;
}

/* False, on all alike: there is none, or not enough. What stands there is overwritten by the long exchanges
 * of open rows between all processes. Leads are tried before these; x is looked at after them, too: where all
 * processes share rows, a block wants the own chunk alone, and takes it as it is. */
static bool read_in_place(grid_product *p, const grid_leads *l, grid_input *in, const uint64_t **bits,
                          GrB_Info *info) {
  const grid_axis *axis = grid_in_axis(p, &p->A->block);
  const grid_transport *by = grid_here.transport;
  const places at = find_places(p);
  uint64_t *room = by->room ? (uint64_t *)(void *)by->room((at.all + words_of(l)) * 8) : NULL;
  if (!room) return false;
  uint64_t *leads = room + at.all + l->start[grid_here.k] / 64;
  grid_show_bits(p->x, room + at.own);
  const uint64_t count = own_leads(p, l, leads);
  if (grid_here.k == 0) room[at.all + words_of(l) - 1] = 0;
  const grid_entries_out x = grid_entries_of_chunk(p->x, false), e = leads_out(l, leads, count);
  count_sent(p, &e, &x);
  by->meet();
  *bits = room + at.all;
  *info = grid_set_size(p->gather) == 1 ? grid_input_of_chunk(p, p->x, axis, true, in)
                                        : grid_input_of_bits(axis, room + at.block, in);
  return true;
}

/* ---- messages ---- */

static void write_piece(char *to, const grid_entries_out *leads, const grid_entries_out *x) {
  const uint64_t head[2] = {piece_size(leads, x), grid_message_size(leads)};
  if (head[0] == 0) return;
  memcpy(to, head, sizeof head);
  grid_message_write(leads, to + HEAD);
  if (x) grid_message_write(x, to + HEAD + head[1]);
}

static bool wants_x(const grid_product *p, int k) {
  return p->transposed ? k % grid_here.R == grid_here.i : k / grid_here.R == grid_here.j;
}

/* One piece for those who want x, and one for the others. */
static GrB_Info write_pieces(grid_product *p, const grid_leads *l) {
  grid_workspace *work = &p->A->work;
  const grid_entries_out x = grid_entries_of_chunk(p->x, false);
  uint64_t *mine = grid_malloc(grid_words(l->nown), sizeof *mine);
  if (!mine) return grid_fail_memory(NULL, "bits of leads", grid_words(l->nown), sizeof *mine);
  const grid_entries_out leads = leads_out(l, mine, own_leads(p, l, mine));
  const uint64_t with = piece_size(&leads, &x), without = piece_size(&leads, NULL);
  GrB_Info info = grid_workspace_room(work, with + without);
  if (info == GrB_SUCCESS) {
    write_piece(work->send, &leads, &x);
    write_piece(work->send + with, &leads, NULL);
    for (int k = 0; k < grid_here.P; k++) {
      work->counts[k] = wants_x(p, k) ? with : without;
      work->counts[grid_here.P + k] = wants_x(p, k) ? 0 : with;
    }
    count_sent(p, &leads, &x);
  }
  grid_free(mine);
  return info;
}

static GrB_Info take_leads(const grid_leads *l, const grid_received *got, uint64_t **bits) {
  *bits = grid_calloc(words_of(l), sizeof **bits);
  if (!*bits) return grid_fail_memory(NULL, "bits of leads", words_of(l), sizeof **bits);
  for (int k = 0; k < grid_here.P; k++) {
    uint64_t head[2];
    if (got->bytes[k] == 0) continue;
    memcpy(head, got->buf + got->off[k], sizeof head);
    const grid_message m = grid_message_read(got->buf + got->off[k] + HEAD, head[1]);
    for (grid_message_iter it = grid_message_begin(&m); grid_message_next(&it);) {
      const uint64_t at = l->start[k] + it.i;
      (*bits)[at >> 6] |= UINT64_C(1) << (at & 63);
    }
  }
  return GrB_SUCCESS;
}

/* What of the pieces is x, member by member of those who share the block's inputs. */
static GrB_Info take_x(grid_product *p, const grid_received *got, grid_input *in) {
  const size_t S = (size_t)grid_set_size(p->gather);
  size_t *bytes = grid_malloc(2 * S, sizeof *bytes), s = 0;
  if (!bytes) return grid_fail_memory(NULL, "messages", 2 * S, sizeof *bytes);
  size_t *off = bytes + S;
  for (int k = 0; k < grid_here.P; k++) {
    uint64_t head[2] = {HEAD, 0};
    if (!wants_x(p, k)) continue;
    if (got->bytes[k]) memcpy(head, got->buf + got->off[k], sizeof head);
    bytes[s] = head[0] - HEAD - head[1];
    off[s++] = got->off[k] + HEAD + head[1];
  }
  GrB_Info info = grid_input_of_messages(p, &(grid_received){got->buf, bytes, off}, in);
  grid_free(bytes);
  return info;
}

GrB_Info grid_expand_leads(grid_product *p, grid_input *in, const uint64_t **bits, void **own) {
  const grid_leads *l = p->A->leads;
  uint64_t *made = NULL;
  grid_received got;
  GrB_Info info;
  *in = (grid_input){0};
  *bits = NULL, *own = NULL;
  if (!read_in_place(p, l, in, bits, &info)) {
    info = grid_send_written(&p->A->work, GRID_SET_ALL, write_pieces(p, l), &got);
    if (info == GrB_SUCCESS) info = take_leads(l, &got, &made);
    if (info == GrB_SUCCESS) info = take_x(p, &got, in);
    *bits = *own = made;
  }
  if (info != GrB_SUCCESS) grid_input_free(in);
  return info;
}

/* ---- trying ---- */

/* Of rows that stand close together all 64 are looked at, and written: nobody reads those without a hit. */
enum { DENSE = 24, DENSE_VALUES = 16 };

static inline uint64_t in_x(const uint64_t *bits, uint32_t number) {
  return bits[number >> 6] >> (number & 63) & 1;
}

static inline uint64_t hits_of_word(const uint64_t *bits, const uint32_t *number, uint64_t tries) {
  uint64_t hits = 0;
  if (grid_popcount(tries) >= DENSE) {
    for (unsigned b = 0; b < 64; b++) hits |= in_x(bits, number[b]) << b;
    return hits & tries;
  }
  for (uint64_t t = tries; t; t &= t - 1) hits |= in_x(bits, number[grid_low_bit(t)]) << grid_low_bit(t);
  return hits;
}

#define PUT_WORD(type)                                                                            \
  static inline void put_word_##type(type *val, const uint32_t *input, uint64_t hits, bool all) { \
    if (all)                                                                                      \
      for (unsigned b = 0; b < 64; b++) val[b] = (type)input[b];                                  \
    else                                                                                          \
      for (uint64_t t = hits; t; t &= t - 1) val[grid_low_bit(t)] = (type)input[grid_low_bit(t)]; \
  }
PUT_WORD(int32_t)
PUT_WORD(int64_t)

typedef struct {
  const uint64_t *bits, *tries;
  const uint32_t *number, *input;
  uint64_t n, *hits;
  char *val;
  size_t size;
} trying;

GRID_LEVELS static uint64_t try_words(const trying *t, uint64_t from, uint64_t to) {
  uint64_t found = 0;
  for (uint64_t w = from; w < to; w++) {
    if (t->tries[w] == 0) continue;
    const uint64_t hits = hits_of_word(t->bits, t->number + 64 * w, t->tries[w]);
    const bool all = grid_popcount(hits) >= DENSE_VALUES && 64 * w + 64 <= t->n;
    if (hits == 0) continue;
    t->hits[w] |= hits;
    found += grid_popcount(hits);
    if (t->size == sizeof(int64_t))
      put_word_int64_t((int64_t *)(void *)t->val + 64 * w, t->input + 64 * w, hits, all);
    else if (t->size)
      put_word_int32_t((int32_t *)(void *)t->val + 64 * w, t->input + 64 * w, hits, all);
  }
  return found;
}

uint64_t grid_try_leads(const grid_product *p, const uint64_t *bits, const uint64_t *tries, uint64_t *hits,
                        char *val) {
  const grid_leads *l = p->A->leads;
  const uint64_t words = grid_words(p->mask.n);
  const trying t = {.bits = bits,
                    .tries = tries,
                    .number = l->number,
                    .input = l->input,
                    .n = p->mask.n,
                    .hits = hits,
                    .val = val,
                    .size = val ? p->s->mul->z->size : 0};
  uint64_t found = 0;
  enum { PIECE = 64 };
#pragma omp parallel for schedule(static) reduction(+ : found) num_threads(grid_word_threads(words))
  for (uint64_t w = 0; w < words; w += PIECE)
    found += try_words(&t, w, w + PIECE < words ? w + PIECE : words);
  return found;
}
