/* x and mask of a product at all delegates, on every process (delegate_split.h). Delegates are found in a
 * process's vertices by words: those that x or the mask have in common with local_bits. Two bitmaps go to all
 * processes in one message; x's values, where they are read, in one more. */
#include <string.h>

#include "dist/delegates/delegate_split.h"
#include "spmat/vector/bitmap_words.h"

/* Sets the bits of the delegates in a set of this process's vertices: by position, or, on one process, by
 * number. */
static void mark_delegates(const grid_split *s, grid_cursor set, uint64_t *bits) {
  const bool by_number = grid_ctx.P == 1;
  for (uint64_t e = 0; e < s->local_nonzero; e++) {
    const uint64_t w = s->local_word[e], local = s->local_bits[w];
    for (uint64_t both = grid_cursor_word(&set, w) & local; both; both &= both - 1) {
      const uint64_t before = grid_popcount(local & ((both & -both) - 1)),
                     at = s->local_word_rank[e] + before, k = by_number ? s->order[at] : at;
      bits[k >> 6] |= UINT64_C(1) << (k & 63);
    }
  }
}

/* Does a list of this process's vertices have no delegate? */
static bool lists_no_delegate(const grid_split *s, const grid_chunk *x) {
  if (x->format != GRID_LIST || x->nvals > s->local_nonzero) return false;
  for (uint64_t k = 0; k < x->nvals; k++)
    if (grid_bit(s->local_bits, x->idx[k])) return false;
  return true;
}

/* to = the bits by number of what each process has sent by position. */
static void number_bits(const grid_split *s, const uint64_t *got, uint64_t *to) {
  for (int k = 0; k < grid_ctx.P; k++, got += grid_split_message_words(s))
    for (uint64_t w = 0; w < s->bitmap_words; w++)
      for (uint64_t bits = got[w]; bits; bits &= bits - 1) {
        const uint64_t number = s->order[s->start[k] + 64 * w + grid_low_bit(bits)];
        to[number >> 6] |= UINT64_C(1) << (number & 63);
      }
}

/* x and mask as bits, in one message with the outcome. */
static GrB_Info replicate_bits(grid_product *p, GrB_Info info, grid_delegate_inputs *in, bool masked) {
  const grid_split *s = p->A->delegates.split;
  const uint64_t words = grid_split_message_words(s);
  uint64_t *got = s->exchange + words, failed = 0;
  const grid_cursor x = grid_cursor_chunk(p->x), mask = grid_cursor_mask(&p->mask);
  if (grid_ctx.P == 1) {
    /* then nothing meets dd, and no other matrix of the split has entries */
    if (info != GrB_SUCCESS || (s->whole && lists_no_delegate(s, p->x))) return info;
    mark_delegates(s, x, in->x.bits);
    if (masked) mark_delegates(s, mask, in->allowed);
    return info;
  }
  memset(s->exchange, 0, words * 8);
  mark_delegates(s, x, s->exchange);
  if (masked) mark_delegates(s, mask, s->exchange + s->bitmap_words);
  s->exchange[words - 1] = info != GrB_SUCCESS;
  const GrB_Info sent = grid_ctx.transport->allgather(GRID_SET_ALL, s->exchange, words * 8, got);
  if (sent != GrB_SUCCESS) return sent;
  for (int k = 0; k < grid_ctx.P; k++) failed |= got[((uint64_t)k + 1) * words - 1];
  if (failed) return grid_agree(&p->A->head, info);
  p->stats.delegate_bytes += words * 8 * (uint64_t)(grid_ctx.P - 1);
  p->stats.bitmap_messages += (uint64_t)(grid_ctx.P - 1);
  number_bits(s, got, in->x.bits);
  if (masked) number_bits(s, got + s->bitmap_words, in->allowed);
  return info;
}

/* ---- values of x ---- */

/* x = this process's delegates in p->x, by position, with values. */
static GrB_Info select_values(const grid_product *p, grid_chunk *x) {
  const grid_split *s = p->A->delegates.split;
  const uint64_t from = s->start[grid_ctx.k], n = s->start[grid_ctx.k + 1] - from,
                 first = grid_chunk_first(p->A->nrows, grid_ctx.k);
  const size_t size = p->x->type->size;
  grid_chunk_init(x, p->x->type, n);
  GrB_Info info = grid_chunk_reserve_dense(x, false);
  if (info != GrB_SUCCESS || n == 0) return info;
  memset(x->bits, 0, grid_words(n) * 8);
  x->format = GRID_BITMAP;
  for (uint64_t k = 0; k < n; k++) {
    const void *v;
    if (!grid_chunk_get(p->x, s->id[s->order[from + k]] - first, &v)) continue;
    x->bits[k >> 6] |= UINT64_C(1) << (k & 63);
    memcpy((char *)x->val + k * size, v, size);
    x->nvals++;
  }
  return GrB_SUCCESS;
}

GrB_Info grid_delegates_replicate_values(grid_product *p, grid_delegate_inputs *in) {
  const grid_split *s = p->A->delegates.split;
  const size_t size = p->x->type->size;
  grid_chunk x;
  grid_received got;
  if (!p->values.uses_x || !in->x.nvals) return GrB_SUCCESS;
  GrB_Info info = select_values(p, &x);
  const grid_entries_out e = grid_entries_of_chunk(&x, true);
  grid_count_messages(p, &e, grid_ctx.P - 1);
  info =
      grid_allgather_messages(&p->A->cached.buffers, GRID_SET_ALL, info, &e, &got, &p->stats.delegate_bytes);
  uint64_t received = 0;
  for (int k = 0; k < grid_ctx.P && info == GrB_SUCCESS; k++) {
    const grid_message m = grid_received_message(&got, (size_t)k);
    for (grid_message_iter it = grid_message_begin(&m); grid_message_next(&it); received++)
      memcpy((char *)in->x.val + s->order[s->start[k] + it.i] * size, it.v, size);
  }
  /* a process that failed has sent none; until that is agreed on, the product reads values */
  if (info == GrB_SUCCESS && received < in->x.nvals) memset(in->x.val, 0, s->d * size);
  grid_chunk_free(&x);
  return info;
}

GrB_Info grid_delegates_replicate(grid_product *p, grid_delegate_inputs *in) {
  const grid_split *s = p->A->delegates.split;
  const uint64_t words = grid_words(s->d);
  const bool masked = p->n.allowed != p->out.n; /* sums over the grid: one chunk's mask may allow all */
  grid_chunk_init(&in->x, p->x->type, s->d);
  GrB_Info info = grid_chunk_reserve_dense(&in->x, !p->values.uses_x);
  in->allowed = masked ? grid_calloc(words, 8) : NULL;
  if (info == GrB_SUCCESS && masked && !in->allowed)
    info = grid_fail_memory(NULL, "mask of delegates", words, 8);
  if (info == GrB_SUCCESS) memset(in->x.bits, 0, words * 8), in->x.format = GRID_BITMAP;
  TRY(replicate_bits(p, info, in, masked));
  in->x.nvals = grid_count_bits(in->x.bits, words);
done:
  return info;
}
