/* Exchanges the bits of the row hubs in x (row_hubs.h) together with x, and tries the outputs of this
 * process's chunk with them. */
#include <string.h>

#include "dist/grid/layout.h"
#include "dist/vector/shm_view.h"
#include "dist/product/exchange/row_hubs.h"
#include "semiring/support/simd_levels.h"
#include "spmat/vector/bitmap_words.h"

/* Words of the bitmap over the numbers of row hubs; the last word is 0, for outputs without a row hub. */
static uint64_t word_count(const grid_row_hubs *l) {
  return l->start[grid_ctx.P] / 64 + 1;
}

/* bits = which of this process's row hubs are in x, by their numbers less the first one's. Returns how many.
 */
static uint64_t mark_local_row_hubs(const grid_product *p, const grid_row_hubs *l, uint64_t *bits) {
  const grid_chunk *x = p->x;
  uint64_t sum = 0;
  memset(bits, 0, grid_words(l->nlocal) * sizeof *bits);
  if (x->format == GRID_LIST) {
    for (uint64_t k = 0, m = 0; k < x->nvals; k++) {
      while (m < l->nlocal && l->local[m] < x->idx[k]) m++;
      if (m < l->nlocal && l->local[m] == x->idx[k]) bits[m >> 6] |= UINT64_C(1) << (m & 63), sum++;
    }
    return sum;
  }
  for (uint64_t w = 0; w < grid_words(l->nlocal); w++) {
    const uint64_t n = l->nlocal - 64 * w < 64 ? l->nlocal - 64 * w : 64;
    const uint32_t *ids = l->local + 64 * w;
    for (uint64_t b = 0; b < n; b++)
      bits[w] |= (x->format == GRID_FULL || (x->nvals && grid_bit(x->bits, ids[b])) ? UINT64_C(1) : 0) << b;
    sum += grid_popcount(bits[w]);
  }
  return sum;
}

static grid_entries_out row_hubs_out(const grid_row_hubs *l, const uint64_t *bits, uint64_t count) {
  return (grid_entries_out){.n = l->nlocal, .count = count, .bits = bits};
}

/* ---- a segment: a head, the message of row hubs, and, to processes of the input set, that of x ---- */

enum { HEAD = 16 }; /* two words: bytes of the segment, bytes of the message of row hubs */

static uint64_t segment_size(const grid_entries_out *row_hubs, const grid_entries_out *x) {
  const uint64_t bytes = grid_message_size(row_hubs) + (x ? grid_message_size(x) : 0);
  return bytes ? HEAD + bytes : 0;
}

static void count_sent(grid_product *p, const grid_entries_out *row_hubs, const grid_entries_out *x) {
  const int others = grid_ctx.P - 1, with_x = grid_set_size(p->in.set) - 1;
  grid_count_messages(p, row_hubs, others);
  grid_count_messages(p, x, with_x);
  p->stats.expand_bytes += segment_size(row_hubs, x) * (uint64_t)with_x +
                           segment_size(row_hubs, NULL) * (uint64_t)(others - with_x);
}

/* ---- shared memory: the bits of x, contiguous for each block, then those of the row hubs ---- */

/* The chunk at a position there: those of an input set are consecutive. */
static int chunk_at(const grid_product *p, int position) {
  return p->transposed ? position % grid_ctx.C * grid_ctx.R + position / grid_ctx.C : position;
}

/* Words before this process's chunk; before the inputs of its block; in total. */
typedef struct {
  uint64_t local, block, all;
} hub_layout;

static hub_layout find_layout(const grid_product *p) {
  const int first = p->transposed ? grid_ctx.i * grid_ctx.C : grid_ctx.j * grid_ctx.R;
  hub_layout at = {0};
  for (int k = 0; k < grid_ctx.P; k++) {
    if (k == first) at.block = at.all;
    if (chunk_at(p, k) == grid_ctx.k) at.local = at.all;
    at.all += grid_chunk_padded_size(p->in.n, chunk_at(p, k)) / 64;
  }
  return at;
}

/* Exchanges through shared memory. False, the same on all processes: there is none, or it is too small. Later
 * exchanges of open rows between all processes overwrite that memory. The row hubs are tried before those. x
 * is also read after them; but where all processes share the rows, the block's inputs are this process's own
 * chunk, which is read in place of shared memory. */
static bool read_in_place(grid_product *p, const grid_row_hubs *l, grid_input *in, const uint64_t **bits,
                          GrB_Info *info) {
  const grid_axis *axis = grid_in_axis(p, &p->A->block);
  const grid_transport *by = grid_ctx.transport;
  const hub_layout at = find_layout(p);
  uint64_t *buffer = by->shared_buffer
                         ? (uint64_t *)(void *)by->shared_buffer(GRID_SET_ALL, (at.all + word_count(l)) * 8)
                         : NULL;
  if (!buffer) return false;
  uint64_t *row_hubs = buffer + at.all + l->start[grid_ctx.k] / 64;
  grid_chunk_write_bits(p->x, buffer + at.local);
  const uint64_t count = mark_local_row_hubs(p, l, row_hubs);
  if (grid_ctx.k == 0) buffer[at.all + word_count(l) - 1] = 0;
  const grid_entries_out x = grid_entries_of_chunk(p->x, false), e = row_hubs_out(l, row_hubs, count);
  count_sent(p, &e, &x);
  by->barrier(GRID_SET_ALL);
  *bits = buffer + at.all;
  *info = grid_set_size(p->in.set) == 1 ? grid_make_input_from_chunk(p, p->x, axis, true, in)
                                        : grid_make_input_from_bits(axis, buffer + at.block, in);
  return true;
}

/* ---- messages ---- */

static void write_segment(char *to, const grid_entries_out *row_hubs, const grid_entries_out *x) {
  const uint64_t head[2] = {segment_size(row_hubs, x), grid_message_size(row_hubs)};
  if (head[0] == 0) return;
  memcpy(to, head, sizeof head);
  grid_message_write(row_hubs, to + HEAD);
  if (x) grid_message_write(x, to + HEAD + head[1]);
}

static bool is_in_input_set(const grid_product *p, int k) {
  return p->transposed ? k % grid_ctx.R == grid_ctx.i : k / grid_ctx.R == grid_ctx.j;
}

/* One segment for the processes of the input set, and one for the others. */
static GrB_Info write_segments(grid_product *p, const grid_row_hubs *l) {
  grid_comm_buffers *work = &p->A->cached.buffers;
  const grid_entries_out x = grid_entries_of_chunk(p->x, false);
  uint64_t *hub_bits = grid_malloc(grid_words(l->nlocal), sizeof *hub_bits);
  if (!hub_bits) return grid_fail_memory(NULL, "bits of row hubs", grid_words(l->nlocal), sizeof *hub_bits);
  const grid_entries_out row_hubs = row_hubs_out(l, hub_bits, mark_local_row_hubs(p, l, hub_bits));
  const uint64_t with = segment_size(&row_hubs, &x), without = segment_size(&row_hubs, NULL);
  GrB_Info info = grid_comm_buffers_reserve(work, with + without);
  if (info == GrB_SUCCESS) {
    write_segment(work->send, &row_hubs, &x);
    write_segment(work->send + with, &row_hubs, NULL);
    for (int k = 0; k < grid_ctx.P; k++) {
      work->counts[k] = is_in_input_set(p, k) ? with : without;
      work->counts[grid_ctx.P + k] = is_in_input_set(p, k) ? 0 : with;
    }
    count_sent(p, &row_hubs, &x);
  }
  grid_free(hub_bits);
  return info;
}

static GrB_Info unpack_row_hubs(const grid_row_hubs *l, const grid_received *got, uint64_t **bits) {
  *bits = grid_calloc(word_count(l), sizeof **bits);
  if (!*bits) return grid_fail_memory(NULL, "bits of row hubs", word_count(l), sizeof **bits);
  for (int k = 0; k < grid_ctx.P; k++) {
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

/* The input from the messages of x in the segments of the input set. */
static GrB_Info unpack_x(grid_product *p, const grid_received *got, grid_input *in) {
  const size_t S = (size_t)grid_set_size(p->in.set);
  size_t *bytes = grid_malloc(2 * S, sizeof *bytes), s = 0;
  if (!bytes) return grid_fail_memory(NULL, "messages", 2 * S, sizeof *bytes);
  size_t *off = bytes + S;
  for (int k = 0; k < grid_ctx.P; k++) {
    uint64_t head[2] = {HEAD, 0};
    if (!is_in_input_set(p, k)) continue;
    if (got->bytes[k]) memcpy(head, got->buf + got->off[k], sizeof head);
    bytes[s] = head[0] - HEAD - head[1];
    off[s++] = got->off[k] + HEAD + head[1];
  }
  GrB_Info info = grid_make_input_from_messages(p, &(grid_received){got->buf, bytes, off}, in);
  grid_free(bytes);
  return info;
}

GrB_Info grid_expand_row_hubs(grid_product *p, grid_input *in, const uint64_t **bits, void **owned) {
  const grid_row_hubs *l = p->A->cached.row_hubs;
  uint64_t *made = NULL;
  grid_received got;
  GrB_Info info;
  *in = (grid_input){0};
  *bits = NULL, *owned = NULL;
  if (!read_in_place(p, l, in, bits, &info)) {
    info = grid_alltoall_packed(&p->A->cached.buffers, GRID_SET_ALL, write_segments(p, l), &got);
    if (info == GrB_SUCCESS) info = unpack_row_hubs(l, &got, &made);
    if (info == GrB_SUCCESS) info = unpack_x(p, &got, in);
    *bits = *owned = made;
  }
  if (info != GrB_SUCCESS) grid_input_free(in);
  return info;
}

/* ---- trying ---- */

/* If at least so many rows of a word are tried (have hits), all 64 are looked up (written), without a branch.
 * The values of rows without a hit are never read. */
enum { DENSE = 24, DENSE_VALUES = 16 };

static inline uint64_t row_hub_bit(const uint64_t *bits, uint32_t number) {
  return bits[number >> 6] >> (number & 63) & 1;
}

static inline uint64_t find_hits(const uint64_t *bits, const uint32_t *number, uint64_t tries) {
  uint64_t hits = 0;
  if (grid_popcount(tries) >= DENSE) {
    for (unsigned b = 0; b < 64; b++) hits |= row_hub_bit(bits, number[b]) << b;
    return hits & tries;
  }
  for (uint64_t t = tries; t; t &= t - 1)
    hits |= row_hub_bit(bits, number[grid_low_bit(t)]) << grid_low_bit(t);
  return hits;
}

#define STORE_WORD(type)                                                                            \
  static inline void store_word_##type(type *val, const uint32_t *input, uint64_t hits, bool all) { \
    if (all)                                                                                        \
      for (unsigned b = 0; b < 64; b++) val[b] = (type)input[b];                                    \
    else                                                                                            \
      for (uint64_t t = hits; t; t &= t - 1) val[grid_low_bit(t)] = (type)input[grid_low_bit(t)];   \
  }
STORE_WORD(int32_t)
STORE_WORD(int64_t)

typedef struct {
  const uint64_t *bits, *tries;
  const uint32_t *number, *input;
  const uint64_t *start; /* of the numbers of each process */
  uint64_t n, nin, *hits;
  bool has_chunk_offsets; /* inputs are indices in chunks */
  char *val;
  size_t size;
} trying;

/* The values of a word whose inputs are indices in chunks. */
static void store_word_of_offsets(const trying *t, uint64_t w, uint64_t hits) {
  for (; hits; hits &= hits - 1) {
    const uint64_t v = 64 * w + grid_low_bit(hits);
    const int k = (int)grid_segment_of(t->start, 1, (uint64_t)grid_ctx.P, t->number[v]);
    const uint64_t u = grid_chunk_first(t->nin, k) + t->input[v];
    if (t->size == sizeof(int64_t))
      ((int64_t *)(void *)t->val)[v] = (int64_t)u;
    else
      ((int32_t *)(void *)t->val)[v] = (int32_t)u;
  }
}

GRID_LEVELS static uint64_t try_words(const trying *t, uint64_t from, uint64_t to) {
  uint64_t found = 0;
  for (uint64_t w = from; w < to; w++) {
    if (t->tries[w] == 0) continue;
    const uint64_t hits = find_hits(t->bits, t->number + 64 * w, t->tries[w]);
    const bool all = grid_popcount(hits) >= DENSE_VALUES && 64 * w + 64 <= t->n;
    if (hits == 0) continue;
    t->hits[w] |= hits;
    found += grid_popcount(hits);
    if (t->has_chunk_offsets && t->size)
      store_word_of_offsets(t, w, hits);
    else if (t->size == sizeof(int64_t))
      store_word_int64_t((int64_t *)(void *)t->val + 64 * w, t->input + 64 * w, hits, all);
    else if (t->size)
      store_word_int32_t((int32_t *)(void *)t->val + 64 * w, t->input + 64 * w, hits, all);
  }
  return found;
}

uint64_t grid_try_row_hubs(const grid_product *p, const uint64_t *bits, const uint64_t *tries, uint64_t *hits,
                           char *val) {
  const grid_row_hubs *l = p->A->cached.row_hubs;
  const uint64_t words = grid_words(p->mask.n);
  const trying t = {.bits = bits,
                    .tries = tries,
                    .number = l->number,
                    .input = l->input,
                    .start = l->start,
                    .n = p->mask.n,
                    .nin = p->in.n,
                    .has_chunk_offsets = !grid_index_fits32(p->in.n),
                    .hits = hits,
                    .val = val,
                    .size = val ? p->s->mul->z->size : 0};
  uint64_t found = 0;
  enum { SEGMENT = 64 };
#pragma omp parallel for schedule(static) reduction(+ : found) num_threads(grid_word_threads(words))
  for (uint64_t w = 0; w < words; w += SEGMENT)
    found += try_words(&t, w, w + SEGMENT < words ? w + SEGMENT : words);
  return found;
}
