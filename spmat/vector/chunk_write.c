/* c<mask, replace> accum= t, the last step of every operation with a vector output.
 *
 * Three methods. TAKE: no entry of c remains, so c and t swap arrays (t is filtered by the mask first).
 * MERGE: two short lists are merged to a third. WORDS: c is a bitmap or full and is changed in place, 64
 * indices at a time. Let M, T, C be the words of mask, t and c, and S = T & M the entries written; then C
 * becomes
 *
 * S | C & ~M, with an accumulator S | C; with replace S, with both S | C & M.
 *
 * If only the indices of a list can change, only its words are visited.
 *
 * With the device on, the backend's rows plan and run the same there (spmat/cuda/vector/vec_write.c): TAKE,
 * or WORDS over all words. */
#include "spmat/vector/chunk_write.h"

#include "spmat/vector/backend.h"

/* A bitmap becomes a list again when it is this many times shorter than a list may be; this avoids
 * alternating. */
#define GRID_LIST_HYSTERESIS 4

enum { MASKED_FILL_WORDS = 64 }; /* words */

grid_chunk grid_chunk_of_scalar(const void *x, GrB_Type type, uint64_t n) {
  return (grid_chunk){.n = n,
                      .nvals = n,
                      .type = type,
                      .format = n ? GRID_FULL : GRID_LIST,
                      .iso = true,
                      .val = (void *)(uintptr_t)x};
}

/* ---- plan ---------------------------------------------------------------------------------------------- */

static bool mask_is_list(const grid_mask *m) {
  return !m->all && !m->bits && !m->complement;
}

/* Will every entry of the result have the value p->x? */
static bool result_is_iso(const grid_write *p) {
  const grid_chunk *c = p->c;
  const size_t size = c->type->size;
  if (p->t->nvals == 0) return c->iso && !p->replaces_all; /* no value is written */
  if (!p->t->iso) return false;
  if (p->replaces_all) return true;
  if (!c->iso || memcmp(grid_chunk_iso_value(c), p->x, size) != 0) return false;
  if (!p->accum) return true;
  if (size > GRID_SMALL_VALUE) return false;
  _Alignas(16) char z[GRID_SMALL_VALUE];
  grid_binary_apply(&p->op, z, grid_chunk_iso_value(c), grid_chunk_iso_value(p->t));
  return memcmp(z, p->x, size) == 0;
}

static GrB_Info plan_move(grid_write *p) {
  GrB_Info info = GrB_SUCCESS;
  grid_chunk *t = p->owned_t;
  p->path = GRID_WRITE_MOVE;
  if (t->format == GRID_FULL && !p->masked) TRY(grid_chunk_to_bitmap(t));
  if (p->copy.cast && t->nvals)
    TRY(grid_chunk_reserve_val(&p->out, t->iso ? 1 : t->format == GRID_LIST ? t->nvals : t->n));
done:
  return info;
}

static GrB_Info plan_merge(grid_write *p) {
  p->path = GRID_WRITE_MERGE;
  return grid_chunk_reserve_list(&p->out, (p->replaces_all ? 0 : p->c->nvals) + p->t->nvals, p->iso);
}

static GrB_Info plan_words(grid_write *p) {
  GrB_Info info = GrB_SUCCESS;
  grid_chunk *c = p->c;
  p->path = GRID_WRITE_WORDS;
  bool deletes = p->replace || (!p->accum && p->t->format != GRID_FULL);
  if (c->format == GRID_LIST || (c->format == GRID_FULL && deletes)) TRY(grid_chunk_to_bitmap(c));
  if (c->nvals == 0) {
    c->iso = p->iso;
    TRY(grid_chunk_reserve_dense(c, p->iso));
  } else if (!p->iso) {
    TRY(grid_chunk_expand_iso(c));
  }
done:
  return info;
}

/* A full iso chunk without a mask needs no array, whatever its length. */
static GrB_Info plan_scalar(grid_write *p) {
  GrB_Info info = GrB_SUCCESS;
  if (p->c->n > GRID_DENSE_LENGTH_MAX)
    return grid_fail_memory(NULL, "vector values", p->c->n, p->c->type->size);
  p->path = GRID_WRITE_MOVE;
  TRY(grid_chunk_reserve_val(&p->out, 1));
  memcpy(p->out.val, p->x, p->c->type->size);
  p->out.format = GRID_FULL, p->out.iso = true, p->out.nvals = p->c->n;
  p->owned_t = &p->out;
  p->copy = grid_copier_bind(p->c->type, p->c->type);
done:
  return info;
}

static GrB_Info choose(grid_write *p) {
  const grid_mask *m = &p->mask;
  const grid_chunk *c = p->c, *t = p->t;
  /* nothing can change */
  if (c->n == 0 || (mask_is_list(m) && m->nlist == 0 && !p->replace)) return GrB_SUCCESS;
  if (t->format == GRID_FULL && t->iso && mask_is_list(m)) { /* one value at the mask's indices */
    p->view = *t;
    p->view.format = GRID_LIST, p->view.idx = (uint64_t *)(uintptr_t)m->list, p->view.nvals = m->nlist;
    p->t = t = &p->view;
  } else if (p->replaces_all && p->owned_t) {
    return plan_move(p);
  } else if (p->replaces_all && t->format == GRID_FULL && t->iso && m->all) {
    return plan_scalar(p);
  }
  bool small = c->n > GRID_DENSE_LENGTH_MAX || c->nvals + t->nvals <= c->n / GRID_LIST_SHARE;
  if (t->format == GRID_LIST && (p->replaces_all || (c->format == GRID_LIST && small))) return plan_merge(p);
  return plan_words(p);
}

/* ---- choice of memory ---------------------------------------------------------------------------------- */

/* Such a t needs no arrays on the device: it is empty, or full and iso, and is then borrowed. */
static bool is_empty_or_iso_full(const grid_chunk *t) {
  return t->nvals == 0 || (t->format == GRID_FULL && t->iso);
}

/* Moves t and the mask to the device; c follows when the method is chosen. */
static GrB_Info to_device(grid_write *p) {
  GrB_Info info = GrB_SUCCESS;
  if (!grid_chunk_can_move(p->c) || !grid_chunk_can_move(p->t)) return GRID_UNSUPPORTED;
  TRY(grid_mask_to_device(&p->mask));
  if (!is_empty_or_iso_full(p->t)) TRY(grid_chunk_to_device(p->t));
  p->device = true;
done:
  return info;
}

/* The mask moves first: it may borrow from c or t. */
static GrB_Info to_host(grid_write *p) {
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_mask_to_host(&p->mask));
  TRY(grid_chunk_to_host(p->c));
  TRY(grid_chunk_to_host(p->t));
  p->device = false;
done:
  return info;
}

/* Plans what depends on where the values lie. */
static void plan_values(grid_write *p) {
  const grid_chunk *t = p->t;
  if (t->iso && t->nvals) {
    p->x = grid_chunk_iso_value(t);
    if (p->copy.cast) p->copy.cast(&p->cast, p->x, p->c->type->size), p->x = &p->cast;
  } else {
    p->x = grid_chunk_iso_value(p->c);
  }
  p->iso = result_is_iso(p);
}

/* GRID_UNSUPPORTED: the CPU must do it. */
static GrB_Info plan_on_device(grid_write *p) {
  GrB_Info info = to_device(p);
  if (info != GrB_SUCCESS) return info;
  plan_values(p);
  return grid_cuda->chunks->write_plan(p);
}

GrB_Info grid_write_prepare(grid_write *p, grid_chunk *c, const grid_mask *mask, GrB_BinaryOp accum,
                            bool replace, const grid_chunk *t, grid_chunk *mine, bool masked) {
  GrB_Info info = GrB_SUCCESS;
  *p = (grid_write){.c = c, .t = t, .owned_t = mine, .mask = *mask, .path = GRID_WRITE_NONE};
  p->mask.own_bits = p->mask.own_list = NULL;
  p->accum = accum != NULL;
  p->replace = replace && !mask->all;
  p->masked = masked || mask->all;
  p->replaces_all = c->nvals == 0 || (!accum && (mask->all || replace));
  p->copy = grid_copier_bind(c->type, t->type);
  grid_chunk_init(&p->out, c->type, c->n);
  if (accum) TRY(grid_binary_bind(&p->op, accum, c->type, c->type, t->type));
  if (grid_device_is_on()) {
    info = plan_on_device(p);
    if (info != GRID_UNSUPPORTED) goto done;
    grid_report_fallback(accum ? "write-back with an accumulator" : "write-back");
  }
  TRY(to_host(p));
  plan_values(p);
  TRY(choose(p));
done:
  if (info != GrB_SUCCESS) grid_write_cancel(p);
  return info;
}

void grid_write_cancel(grid_write *p) {
  grid_binary_free(&p->op);
  grid_mask_free(&p->mask);
  grid_chunk_free(&p->out);
}

/* ---- TAKE ---------------------------------------------------------------------------------------------- */

static void filter_list(grid_chunk *t, const grid_mask *mask) {
  grid_cursor m = grid_cursor_mask(mask);
  const size_t size = t->type->size;
  uint64_t kept = 0;
  for (uint64_t k = 0; k < t->nvals; k++) {
    if (!grid_cursor_has(&m, t->idx[k])) continue;
    if (kept != k) {
      t->idx[kept] = t->idx[k];
      if (!t->iso) grid_value_copy((char *)t->val + kept * size, (char *)t->val + k * size, size);
    }
    kept++;
  }
  t->nvals = kept;
}

/* Words w .. end - 1; returns how many entries remain. */
static uint64_t filter_words(grid_chunk *t, const grid_mask *mask, uint64_t w, uint64_t end) {
  uint64_t count = 0;
  grid_cursor m = grid_cursor_mask(mask);
  grid_cursor_seek(&m, w);
  for (; w < end; w++) {
    uint64_t s = t->bits[w] & grid_cursor_word(&m, w);
    if (s != t->bits[w]) t->bits[w] = s;
    count += grid_popcount(s);
  }
  return count;
}

static void filter_bitmap(grid_chunk *t, const grid_mask *mask) {
  const uint64_t words = grid_words(t->n);
  const int threads = grid_word_threads(words);
  uint64_t count = 0;
  if (grid_is_serial(threads)) {
    count = filter_words(t, mask, 0, words);
  } else {
#pragma omp parallel reduction(+ : count) num_threads(threads)
    {
      const uint64_t id = grid_thread(), all = grid_threads();
      count += filter_words(t, mask, words * id / all, words * (id + 1) / all);
    }
  }
  t->nvals = count;
}

/* The values of word w of a bitmap. */
static void cast_word(const grid_write *p, const grid_chunk *t, int64_t w) {
  const size_t at = (size_t)w * 64;
  if (t->bits[w])
    grid_copy_bits(&p->copy, (char *)p->out.val + at * p->copy.z->size, (char *)t->val + at * p->copy.x->size,
                   1, t->bits[w]);
}

/* The values of t become out's, in c's type. */
static void cast_values(grid_write *p, grid_chunk *t) {
  grid_chunk *o = &p->out;
  if (t->iso) {
    memcpy(o->val, p->x, p->copy.z->size);
  } else if (t->format != GRID_BITMAP) {
    grid_copy_run(&p->copy, o->val, t->val, 1, t->nvals);
  } else {
    const int64_t words = (int64_t)grid_words(t->n);
    const int threads = grid_word_threads((uint64_t)words);
    if (grid_is_serial(threads)) {
      for (int64_t w = 0; w < words; w++) cast_word(p, t, w);
    } else {
#pragma omp parallel for schedule(static) num_threads(threads)
      for (int64_t w = 0; w < words; w++) cast_word(p, t, w);
    }
  }
  void *val = t->val;
  uint64_t cap = t->cap_val;
  t->val = o->val, t->cap_val = o->cap_val;
  o->val = val, o->cap_val = cap;
}

static void move_input(grid_write *p) {
  grid_chunk *t = p->owned_t;
  if (!p->masked) {
    if (t->format == GRID_LIST)
      filter_list(t, &p->mask);
    else
      filter_bitmap(t, &p->mask);
  }
  if (p->copy.cast && t->nvals) cast_values(p, t);
  t->type = p->c->type;
  grid_chunk_swap(p->c, t);
}

/* ---- MERGE --------------------------------------------------------------------------------------------- */

static void merge(grid_write *p) {
  const grid_chunk *c = p->c, *t = p->t;
  grid_chunk *o = &p->out;
  const size_t zs = c->type->size, ts = t->type->size;
  const uint64_t nc = p->replaces_all ? 0 : c->nvals, nt = t->nvals;
  grid_cursor m = grid_cursor_mask(&p->mask);
  uint64_t kc = 0, kt = 0, n = 0;
  while (kc < nc || kt < nt) {
    uint64_t ic = kc < nc ? c->idx[kc] : UINT64_MAX, it = kt < nt ? t->idx[kt] : UINT64_MAX;
    uint64_t i = ic < it ? ic : it;
    bool allowed = p->masked && ic > i ? true : grid_cursor_has(&m, i);
    bool from_t = it == i && allowed;
    bool from_c = ic == i && (allowed ? p->accum : !p->replace);
    if (!p->iso) {
      char *z = (char *)o->val + n * zs;
      const char *x = (const char *)c->val + (c->iso ? 0 : kc) * zs,
                 *y = (const char *)t->val + (t->iso ? 0 : kt) * ts;
      if (from_t && from_c)
        grid_binary_apply(&p->op, z, x, y);
      else if (from_t)
        grid_copy_value(&p->copy, z, y);
      else if (from_c)
        grid_value_copy(z, x, zs);
    }
    o->idx[n] = i;
    n += from_t || from_c;
    kc += ic == i, kt += it == i;
  }
  if (p->iso) memcpy(o->val, p->x, zs);
  o->nvals = n, o->iso = p->iso, o->format = GRID_LIST;
  grid_chunk_swap(p->c, o);
}

/* ---- WORDS --------------------------------------------------------------------------------------------- */

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
static bool keeps_outside_mask(const grid_write *p) {
  return p->c->nvals == 0 || !p->replace;
}

/* The list that contains all indices that may change, or NULL. */
static const grid_cursor *choose_driver(const grid_write *p, const grid_cursor *m, const grid_cursor *t) {
  const bool keeps_entries = keeps_outside_mask(p);
  if (keeps_entries && mask_is_list(&p->mask)) return m;
  bool adds = p->c->nvals == 0 || p->accum; /* without an entry in t nothing changes */
  if (keeps_entries && adds && p->t->format == GRID_LIST) return t;
  return NULL;
}

/* Does every index of the mask's bits get the same value, and nothing else change? */
static bool has_only_fills(const grid_write *p) {
  const grid_mask *m = &p->mask;
  return m->bits && !m->complement && !p->accum && keeps_outside_mask(p) && p->t->format == GRID_FULL &&
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
  const uint64_t *only = !d && !m.flip && keeps_outside_mask(p) ? m.bits : NULL;
  int64_t grown = 0;
  grid_cursor_seek(&m, w);
  grid_cursor_seek(&t, w);
  for (; w < end; w = d ? grid_cursor_next(d, end) : w + 1) {
    if (only && !only[w]) continue;
    const uint64_t C = bits ? bits[w] : grid_tail(c->n, w);
    const uint64_t M = grid_cursor_word(&m, w), T = M || d == &t ? grid_cursor_word(&t, w) : 0, S = T & M;
    const uint64_t kept = p->accum ? (p->replace ? C & M : C) : (p->replace ? 0 : C & ~M);
    if (S && !p->iso) write_values(p, w, S, p->accum ? S & C : 0, T, t.at);
    if ((S | kept) == C) continue;
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): nothing is put into or taken from a full chunk */
    bits[w] = S | kept;
    grown += (int64_t)grid_popcount(S | kept) - (int64_t)grid_popcount(C);
  }
  return grown;
}

/* Is every entry of the list t allowed, and does nothing change at other indices? Then entries are only
 * stored. */
static bool has_only_entries(const grid_write *p, const grid_cursor *d, const grid_cursor *m,
                             const grid_cursor *t) {
  if (p->t->format != GRID_LIST || p->c->format != GRID_BITMAP) return false;
  return (d == m && p->mask.list == p->t->idx && p->mask.nlist == p->t->nvals) || (d == t && p->masked);
}

/* Entries of the list t in words first .. end - 1. */
static int64_t write_entries(const grid_write *p, uint64_t first, uint64_t end) {
  const grid_chunk *c = p->c, *t = p->t;
  const size_t zs = c->type->size, ts = t->iso ? 0 : t->type->size;
  const grid_copier plain = {.z = c->type, .x = c->type}, *copy = t->iso ? &plain : &p->copy;
  const char *y = t->iso ? p->x : t->val;
  int64_t grown = 0;
  for (uint64_t k = grid_lower_bound(t->idx, 0, t->nvals, 64 * first); k < t->nvals; k++) {
    const uint64_t i = t->idx[k], w = i >> 6, old = c->bits[w], bit = UINT64_C(1) << (i & 63);
    if (w >= end) break;
    c->bits[w] = old | bit;
    grown += !(old & bit);
    if (p->iso) continue;
    char *z = (char *)c->val + i * zs;
    if (p->accum && (old & bit))
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

static void words(grid_write *p) {
  grid_chunk *c = p->c;
  const uint64_t nwords = grid_words(c->n);
  grid_cursor m = grid_cursor_mask(&p->mask), t = grid_cursor_chunk(p->t);
  const grid_cursor *d = choose_driver(p, &m, &t);
  const int threads = grid_word_threads(d && d->nlist / 8 < nwords ? d->nlist / 8 : nwords);
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

/* ---- commit -------------------------------------------------------------------------------------------- */

/* Chooses the cheapest format for the present entries. A conversion without memory is skipped. */
static void choose_format(grid_chunk *c) {
  if (c->nvals == 0) {
    grid_chunk_empty(c);
  } else if (c->nvals == c->n) {
    c->format = GRID_FULL;
  } else if (c->format == GRID_LIST && c->nvals > c->n / GRID_LIST_SHARE && c->n <= GRID_DENSE_LENGTH_MAX) {
    (void)grid_chunk_to_bitmap(c);
  } else if (c->format == GRID_BITMAP && c->nvals <= c->n / GRID_LIST_SHARE / GRID_LIST_HYSTERESIS) {
    (void)grid_chunk_to_list(c);
  }
}

/* The same on the device, where there are no lists. */
static void run_on_device(grid_write *p) {
  if (grid_cuda->chunks->write_run(p) !=
      GrB_SUCCESS) { /* too late for an error: all processes have agreed on the write */
    grid_device_mark_failed();
    return;
  }
  grid_chunk *c = p->c;
  if (c->nvals == 0) grid_chunk_empty(c);
  if (c->nvals && c->nvals == c->n) c->format = GRID_FULL;
}

static void run(grid_write *p) {
  switch (p->path) {
    case GRID_WRITE_MOVE:
      move_input(p);
      break;
    case GRID_WRITE_MERGE:
      merge(p);
      break;
    case GRID_WRITE_WORDS:
      words(p);
      break;
    default:
      return;
  }
  choose_format(p->c);
}

void grid_write_commit(grid_write *p) {
  if (p->device && p->path != GRID_WRITE_NONE)
    run_on_device(p);
  else
    run(p);
  if (p->owned_t && p->owned_t != &p->out) grid_chunk_empty(p->owned_t);
  grid_write_cancel(p);
}

GrB_Info grid_chunk_write(grid_chunk *c, const grid_mask *mask, GrB_BinaryOp accum, bool replace,
                          grid_chunk *t, bool masked) {
  grid_write p;
  GrB_Info info = grid_write_prepare(&p, c, mask, accum, replace, t, t, masked);
  if (info == GrB_SUCCESS) grid_write_commit(&p);
  return info;
}

GrB_Info grid_chunk_write_scalar(grid_chunk *c, const grid_mask *mask, GrB_BinaryOp accum, bool replace,
                                 const void *x, GrB_Type xtype) {
  grid_write p;
  const grid_chunk t = grid_chunk_of_scalar(x, xtype, c->n);
  GrB_Info info = grid_write_prepare(&p, c, mask, accum, replace, &t, NULL, false);
  if (info == GrB_SUCCESS) grid_write_commit(&p);
  return info;
}
