/* WORDS (chunk_write.c): c is changed in place, 64 indices at a time. */
#include "spmat/vector/chunk_memory.h"
#include "spmat/vector/chunk_write_steps.h"

enum { MASKED_FILL_WORDS = 64 }; /* words */

/* Values of t at the bits s of word w; T is t's word, `at` the list position of its first entry. */
static void write_values(const grid_write *p, uint64_t w, uint64_t s, uint64_t both, uint64_t T,
                         uint64_t at) {
  const grid_chunk *c = p->c, *t = p->t;
  const size_t zs = c->type->size, ts = t->type->size;
  char *z = (char *)c->val + w * 64 * zs;
  const char *y = t->val;
  if (t->iso) {
    if (s & ~both) grid_value_copy_bits(z, p->x, 0, s & ~both, zs);
    if (both) grid_binary_bits(&p->op, z, z, 1, y, 0, both);
  } else if (t->format != GRID_LIST) {
    y += w * 64 * ts;
    if (p->replaces_all) /* no entry of z remains */
      grid_copy_word(&p->copy, z, y, 1, s);
    else if (s & ~both)
      grid_copy_bits(&p->copy, z, y, 1, s & ~both);
    if (both) grid_binary_bits(&p->op, z, z, 1, y, 1, both);
  } else {
    for (y += at * ts; T; T &= T - 1, y += ts) {
      uint64_t b = grid_low_bit(T), bit = T & -T;
      if (both & bit)
        grid_binary_apply(&p->op, z + b * zs, z + b * zs, y);
      else if (s & bit)
        grid_copy_value(&p->copy, z + b * zs, y);
    }
  }
}

/* Does nothing change outside the mask? */
static bool preserves_outside_mask(const grid_write *p) {
  return p->c->nvals == 0 || !p->replace;
}

/* The list that contains all indices that may change, or NULL. */
static const grid_cursor *choose_driver(const grid_write *p, const grid_cursor *m, const grid_cursor *t) {
  const bool preserves_entries = preserves_outside_mask(p);
  if (preserves_entries && grid_write_mask_is_list(&p->mask)) return m;
  bool adds = p->c->nvals == 0 || p->accum; /* without an entry in t nothing changes */
  if (preserves_entries && adds && p->t->format == GRID_LIST) return t;
  return NULL;
}

/* Does every index of the mask's bits get the same value, and nothing else change? */
static bool has_only_fills(const grid_write *p) {
  const grid_mask *m = &p->mask;
  return m->bits && !m->complement && !p->accum && preserves_outside_mask(p) && p->t->format == GRID_FULL &&
         p->t->iso && !p->iso && p->c->format == GRID_BITMAP;
}

/* As write_words for such words, all of whose 64 indices exist. Segments fit the cache. */
static int64_t fill_words(const grid_write *p, uint64_t w, uint64_t end) {
  const size_t size = p->c->type->size;
  int64_t grown = 0;
  for (uint64_t segment; w < end; w = segment) {
    segment = end - w < MASKED_FILL_WORDS ? end : w + MASKED_FILL_WORDS;
    grid_value_fill_bits((char *)p->c->val + w * 64 * size, p->x, p->mask.bits + w, segment - w, size);
    for (; w < segment; w++) {
      const uint64_t M = p->mask.bits[w], C = p->c->bits[w];
      p->c->bits[w] = C | M;
      grown += (int64_t)grid_popcount(M & ~C);
    }
  }
  return grown;
}

/* Words w .. end - 1; returns by how much the number of entries grew. */
static int64_t write_words(const grid_write *p, uint64_t w, uint64_t end) {
  const grid_chunk *c = p->c;
  uint64_t *bits = c->format == GRID_BITMAP ? c->bits : NULL;
  grid_cursor m = grid_cursor_mask(&p->mask), t = grid_cursor_chunk(p->t);
  const grid_cursor *d = choose_driver(p, &m, &t);
  const uint64_t *only = !d && !m.flip && preserves_outside_mask(p) ? m.bits : NULL;
  int64_t grown = 0;
  grid_cursor_seek(&m, w);
  grid_cursor_seek(&t, w);
  for (; w < end; w = d ? grid_cursor_next(d, end) : w + 1) {
    if (only && !only[w]) continue;
    const uint64_t C = bits ? bits[w] : grid_tail(c->n, w);
    const uint64_t M = grid_cursor_word(&m, w), T = M || d == &t ? grid_cursor_word(&t, w) : 0, S = T & M;
    const uint64_t retained = p->accum ? (p->replace ? C & M : C) : (p->replace ? 0 : C & ~M);
    if (S && !p->iso) write_values(p, w, S, p->accum ? S & C : 0, T, t.at);
    if ((S | retained) == C) continue;
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): nothing is put into or taken from a full chunk */
    bits[w] = S | retained;
    grown += (int64_t)grid_popcount(S | retained) - (int64_t)grid_popcount(C);
  }
  return grown;
}

/* Is every entry of the list t allowed, and does nothing change at other indices? Then entries are only
 * stored. */
static bool has_only_entries(const grid_write *p, const grid_cursor *d, const grid_cursor *m,
                             const grid_cursor *t) {
  if (p->t->format != GRID_LIST) return false;
  return (d == m && p->mask.list == p->t->idx && p->mask.nlist == p->t->nvals) || (d == t && p->masked);
}

/* Entries of the list t in words first .. end - 1. */
static int64_t write_entries(const grid_write *p, uint64_t first, uint64_t end) {
  const grid_chunk *c = p->c, *t = p->t;
  const size_t zs = c->type->size, ts = t->iso ? 0 : t->type->size;
  const grid_copier plain = {.z = c->type, .x = c->type}, *copy = t->iso ? &plain : &p->copy;
  const char *y = t->iso ? p->x : t->val;
  uint64_t *bits = c->format == GRID_BITMAP ? c->bits : NULL;
  int64_t grown = 0;
  for (uint64_t k = grid_lower_bound(t->idx, 0, t->nvals, 64 * first); k < t->nvals; k++) {
    const uint64_t i = t->idx[k], w = i >> 6, bit = UINT64_C(1) << (i & 63);
    if (w >= end) break;
    const bool is_new = bits && !(bits[w] & bit);
    if (is_new) bits[w] |= bit, grown++;
    if (p->iso) continue;
    char *z = (char *)c->val + i * zs;
    if (p->accum && !is_new)
      grid_binary_apply(&p->op, z, z, (const char *)t->val + k * ts);
    else
      grid_copy_value(copy, z, y + k * ts);
  }
  return grown;
}

/* Share `id` of `all`: equal shares of the words, or of the list d, divided at words. */
static int64_t write_share(const grid_write *p, const grid_cursor *d, bool only_inserts, uint64_t id,
                           uint64_t all) {
  const uint64_t nwords = grid_words(p->c->n);
  uint64_t first = nwords * id / all, end = nwords * (id + 1) / all;
  if (d) {
    first = d->nlist ? d->list[d->nlist * id / all] >> 6 : nwords;
    end = id + 1 < all ? d->list[d->nlist * (id + 1) / all] >> 6 : nwords;
  }
  if (only_inserts) return write_entries(p, first, end);
  /* the last word may be incomplete */
  const uint64_t whole = end < nwords || p->c->n % 64 == 0 ? end : end - 1;
  if (first >= whole || !has_only_fills(p)) return write_words(p, first, end);
  return fill_words(p, first, whole) + write_words(p, whole, end);
}

/* Does c become t, which has many entries? Then whole arrays are copied. */
static bool is_copy(const grid_write *p) {
  const grid_chunk *c = p->c, *t = p->t;
  return p->replaces_all && p->mask.all && !p->mask.complement && !p->copy.cast && !p->iso && !t->iso &&
         c->format == t->format && t != c && grid_chunk_is_quarter_full(t);
}

static void copy_arrays(grid_chunk *c, const grid_chunk *t) {
  if (c->format == GRID_BITMAP) grid_copy_bytes(c->bits, t->bits, grid_words(t->n) * sizeof *c->bits);
  grid_copy_bytes(c->val, t->val, t->n * t->type->size);
  c->iso = false;
  c->nvals = t->nvals;
}

static void sum_range(const grid_write *p, char *z, uint64_t k, uint64_t n) {
  const grid_chunk *c = p->c, *t = p->t;
  const size_t cs = c->type->size, ts = t->type->size;
  const uint64_t kc = c->iso ? 0 : k, kt = t->iso ? 0 : k;
  grid_binary_run(&p->op, z + k * cs, (const char *)c->val + kc * cs, !c->iso, (const char *)t->val + kt * ts,
                  !t->iso, n);
}

void grid_write_full_sum(const grid_write *p, void *z) {
  const uint64_t n = p->c->n, block = 4096;
  const int threads = grid_word_threads(grid_words(n));
  if (grid_is_serial(threads)) {
    sum_range(p, z, 0, n);
    return;
  }
#pragma omp parallel for schedule(static) num_threads(threads)
  for (uint64_t k = 0; k < n; k += block) sum_range(p, z, k, n - k < block ? n - k : block);
}

void grid_write_words(grid_write *p) {
  grid_chunk *c = p->c;
  if (grid_write_is_full_sum(p)) {
    grid_write_full_sum(p, c->val);
    return;
  }
  if (is_copy(p)) {
    copy_arrays(c, p->t);
    return;
  }
  const uint64_t nwords = grid_words(c->n);
  grid_cursor m = grid_cursor_mask(&p->mask), t = grid_cursor_chunk(p->t);
  const grid_cursor *d = choose_driver(p, &m, &t);
  const int threads = grid_work_threads(d && d->nlist / 8 < nwords ? d->nlist / 8 : nwords);
  const bool only_inserts = has_only_entries(p, d, &m, &t);
  int64_t grown = 0;
  if (grid_is_serial(threads)) {
    grown = write_share(p, d, only_inserts, 0, 1);
  } else {
#pragma omp parallel reduction(+ : grown) num_threads(threads)
    grown += write_share(p, d, only_inserts, grid_thread(), grid_threads());
  }
  if (p->iso && p->replaces_all) memcpy(c->val, p->x, c->type->size);
  c->iso = p->iso;
  c->nvals += (uint64_t)grown;
}
