/* c<mask, replace> accum= t, the last step of every operation with a vector output.
 *
 * Four methods. FILTER: t is c, whose entries outside the mask go. MOVE: no entry of c remains, so c and t
 * swap arrays (t is filtered by the mask first); or c has one value everywhere, which is added to t first.
 * MERGE: two short lists are merged to a third. WORDS: c is a bitmap or full and is changed in place, 64
 * indices at a time. Let M, T, C be the words of mask, t and c, and S = T & M the entries written; then C
 * becomes
 *
 * S | C & ~M, with an accumulator S | C; with replace S, with both S | C & M.
 *
 * If only the indices of a list can change, only its words are visited.
 *
 * With the device on, the backend's rows plan and run the same there (spmat/cuda/vector/vec_write.c): MOVE,
 * or WORDS over all words. */
#include "spmat/vector/backend.h"
#include "spmat/vector/chunk_write_steps.h"

/* A bitmap becomes a list again when it is this many times shorter than a list may be; this avoids
 * alternating. */
#define GRID_LIST_HYSTERESIS 4

grid_chunk grid_chunk_of_scalar(const void *x, GrB_Type type, uint64_t n) {
  return (grid_chunk){.n = n,
                      .nvals = n,
                      .type = type,
                      .format = n ? GRID_FULL : GRID_LIST,
                      .iso = true,
                      .val = (void *)(uintptr_t)x};
}

/* ---- FILTER, MOVE ------------------------------------------------------------------------------------ */

static void filter_list(grid_chunk *t, const grid_mask *mask) {
  grid_cursor m = grid_cursor_mask(mask);
  const size_t size = t->type->size;
  uint64_t retained = 0;
  for (uint64_t k = 0; k < t->nvals; k++) {
    if (!grid_cursor_has(&m, t->idx[k])) continue;
    if (retained != k) {
      t->idx[retained] = t->idx[k];
      if (!t->iso) grid_value_copy((char *)t->val + retained * size, (char *)t->val + k * size, size);
    }
    retained++;
  }
  t->nvals = retained;
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

static void filter(grid_chunk *t, const grid_mask *mask) {
  if (t->format == GRID_LIST)
    filter_list(t, mask);
  else
    filter_bitmap(t, mask);
}

static void move_input(grid_write *p) {
  grid_chunk *t = p->owned_t;
  if (grid_write_is_full_sum(p)) grid_write_full_sum(p, t->val);
  if (!p->masked) filter(t, &p->mask);
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
    case GRID_WRITE_FILTER:
      filter(p->c, &p->mask);
      break;
    case GRID_WRITE_MOVE:
      move_input(p);
      break;
    case GRID_WRITE_MERGE:
      merge(p);
      break;
    case GRID_WRITE_WORDS:
      grid_write_words(p);
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
