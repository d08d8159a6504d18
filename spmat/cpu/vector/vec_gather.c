/* vec_gather.c: entries taken from, and put at, the places that a list of indices names. Both go straight into
 * dense arrays, however the indices are ordered. */
#include "spmat/cpu/vector/vec_cpu.h"
#include "spmat/vector/value_sizes.h"

/* ---- gather ----------------------------------------------------------------------------------------------
 */

/* Where entries of u stand. In a list, if it is looked into often: bits, and how many entries come before
 * each word. */
typedef struct {
  const grid_chunk *u;
  uint64_t *bits, *before;
} lookup;

static void lookup_free(lookup *l) {
  grid_free(l->bits);
  grid_free(l->before);
}

/* To be freed, also after an error. */
static GrB_Info lookup_make(lookup *l, const grid_chunk *u, uint64_t times) {
  const uint64_t words = grid_words(u->n);
  *l = (lookup){.u = u};
  if (u->format != GRID_LIST || words / 8 > times) return GrB_SUCCESS;
  l->bits = grid_malloc(words, sizeof *l->bits);
  l->before = grid_malloc(words, sizeof *l->before);
  if (!l->bits || !l->before) return grid_fail_memory(NULL, "places of a list", 2 * words, sizeof *l->bits);
#pragma omp parallel num_threads(grid_word_threads(words))
  {
    grid_cursor c = grid_cursor_chunk(u);
    uint64_t w = words * grid_thread() / grid_threads();
    grid_cursor_seek(&c, w);
    for (; w < words * (grid_thread() + 1) / grid_threads(); w++) {
      l->bits[w] = grid_cursor_word(&c, w);
      l->before[w] = c.at;
    }
  }
  return GrB_SUCCESS;
}

/* Position of index i in the list, or nvals. */
static uint64_t lookup_position(const lookup *l, uint64_t i) {
  const grid_chunk *u = l->u;
  if (l->bits) {
    const uint64_t word = l->bits[i >> 6], bit = UINT64_C(1) << (i & 63);
    return word & bit ? l->before[i >> 6] + grid_popcount(word & (bit - 1)) : u->nvals;
  }
  const uint64_t k = grid_lower_bound(u->idx, 0, u->nvals, i);
  return k < u->nvals && u->idx[k] == i ? k : u->nvals;
}

/* z[k] = x[I[k]]; returns whether some index is not below limit (which is not 0). No branch on what is
 * looked at: a miss would cost more than a needless load. */
GRID_ALWAYS_INLINE bool gather_values(char *z, const char *x, const uint64_t *I, size_t n, uint64_t limit,
                                      size_t size) {
  bool bad = false;
  for (size_t k = 0; k < n; k++) {
    const bool out = I[k] >= limit;
    bad |= out;
    memcpy(z + k * size, x + (out ? 0 : I[k]) * size, size);
  }
  return bad;
}

static uint64_t gather_bits(const uint64_t *bits, const uint64_t *I, size_t n, uint64_t limit, bool *bad) {
  uint64_t s = 0;
  for (size_t k = 0; k < n; k++) {
    const bool out = I[k] >= limit;
    const uint64_t i = out ? 0 : I[k];
    *bad |= out;
    s |= (bits[i >> 6] >> (i & 63) & 1) << k;
  }
  return s;
}

static uint64_t gather_list(const lookup *l, char *z, const uint64_t *I, size_t n, bool *bad) {
  const grid_chunk *u = l->u;
  const size_t size = u->type->size;
  uint64_t s = 0;
  for (size_t k = 0; k < n; k++) {
    const uint64_t at = I[k] < u->n ? lookup_position(l, I[k]) : u->nvals;
    *bad |= I[k] >= u->n;
    if (at == u->nvals) continue;
    s |= UINT64_C(1) << k;
    if (!u->iso) grid_value_copy(z + k * size, (const char *)u->val + at * size, size);
  }
  return s;
}

/* Up to 64 indices; z: their values. */
static uint64_t gather_word(const lookup *l, char *z, const uint64_t *I, size_t n, bool *bad) {
  const grid_chunk *u = l->u;
  if (u->format == GRID_LIST) return gather_list(l, z, I, n, bad);
  if (!u->iso) {
#define CALL(S) *bad |= gather_values(z, u->val, I, n, u->n, S)
    GRID_BY_SIZE(u->type->size, CALL)
#undef CALL
  }
  if (u->format == GRID_BITMAP) return gather_bits(u->bits, I, n, u->n, bad);
  for (size_t k = 0; u->iso && k < n; k++) *bad |= I[k] >= u->n;
  return ~UINT64_C(0);
}

GrB_Info grid_cpu_vec_gather(grid_chunk *t, const grid_chunk *u, const uint64_t *I, bool *bad) {
  GrB_Info info = GrB_SUCCESS;
  const size_t size = u->type->size;
  const int64_t words = (int64_t)grid_words(t->n);
  const bool full = u->format == GRID_FULL && u->nvals;
  uint64_t count = 0;
  bool wrong = false;
  lookup l = {0};
  *bad = u->n == 0 && t->n;
  if (u->n == 0 || t->n == 0) return info;
  TRY(lookup_make(&l, u, t->n));
  TRY(full ? grid_chunk_reserve_val(t, u->iso ? 1 : t->n) : grid_chunk_reserve_dense(t, u->iso));
#pragma omp parallel for schedule(static) reduction(+ : count) reduction(|| : wrong) \
    num_threads(grid_word_threads((uint64_t)words))
  for (int64_t w = 0; w < words; w++) {
    const uint64_t at = 64 * (uint64_t)w, tail = grid_tail(t->n, (uint64_t)w);
    bool out = false;
    const uint64_t s =
        gather_word(&l, (char *)t->val + (u->iso ? 0 : at * size), I + at, grid_word_length(tail), &out);
    if (!full) t->bits[w] = s;
    count += grid_popcount(s & tail);
    wrong = wrong || out;
  }
  *bad = wrong;
  if (u->iso && u->nvals) memcpy(t->val, u->val, size);
  t->format = full ? GRID_FULL : GRID_BITMAP, t->nvals = count, t->iso = u->iso;
  if (!wrong) TRY(grid_chunk_choose_format(t));
done:
  lookup_free(&l);
  if (info != GrB_SUCCESS || *bad) grid_chunk_empty(t);
  return info;
}

/* ---- scatter ---------------------------------------------------------------------------------------------
 */

/* A byte for each place: is it named, is there an entry for it? Bits would want atomic writes. */
enum { SELECTED = 1, ENTRY = 2 };

typedef struct {
  unsigned char *mark; /* for whole words of places */
  char *val;           /* NULL: no values */
  const grid_chunk *u;
  const uint64_t *I;
  uint64_t n; /* places */
} scatter;

static inline void mark(const scatter *s, uint64_t i, unsigned char what) {
  __atomic_store_n(&s->mark[i], what, __ATOMIC_RELAXED);
}

/* Marks the places of I[from .. to); returns whether one is none. */
static bool mark_positions(const scatter *s, uint64_t from, uint64_t to, unsigned char what) {
  bool bad = false;
  for (uint64_t k = from; k < to; k++)
    if (s->I[k] < s->n)
      mark(s, s->I[k], what);
    else
      bad = true;
  return bad;
}

/* Entries number from .. to - 1 of a full u. */
GRID_ALWAYS_INLINE void scatter_values(const scatter *s, uint64_t from, uint64_t to, size_t size) {
  const char *x = s->u->val;
  for (uint64_t k = from; k < to; k++)
    if (s->I[k] < s->n) memcpy(s->val + s->I[k] * size, x + k * size, size);
}

static void scatter_run(const scatter *s, uint64_t from, uint64_t to) {
#define CALL(S) scatter_values(s, from, to, S)
  GRID_BY_SIZE(s->u->type->size, CALL)
#undef CALL
}

/* The entry number `at` of u, k its index. */
static void scatter_one(const scatter *s, uint64_t k, uint64_t at) {
  const size_t size = s->u->type->size;
  if (s->I[k] >= s->n) return;
  mark(s, s->I[k], SELECTED | ENTRY);
  if (s->val) grid_value_copy(s->val + s->I[k] * size, (const char *)s->u->val + at * size, size);
}

/* Entries of a u that is not full: those of its words, or of its list, from .. to - 1. */
static void scatter_entries(const scatter *s, uint64_t from, uint64_t to) {
  const grid_chunk *u = s->u;
  for (uint64_t w = from; u->format == GRID_BITMAP && w < to; w++)
    for (uint64_t x = u->bits[w]; x; x &= x - 1) {
      const uint64_t k = 64 * w + grid_low_bit(x);
      scatter_one(s, k, k);
    }
  for (uint64_t k = from; u->format == GRID_LIST && k < to; k++) scatter_one(s, u->idx[k], k);
}

/* All of it by so many threads; returns whether an index is no place. */
static bool scatter_all(const scatter *s, uint64_t ni, int threads) {
  const grid_chunk *u = s->u;
  const uint64_t bytes = 64 * grid_words(s->n), block = 2048;
  const bool full = u && u->format == GRID_FULL;
  bool bad = false;
#pragma omp parallel num_threads(threads) reduction(|| : bad)
  {
    const uint64_t id = grid_thread(), all = grid_threads(), from = ni * id / all, to = ni * (id + 1) / all;
    const uint64_t work = !u ? 0 : u->format == GRID_LIST ? u->nvals : grid_words(u->n);
    memset(s->mark + bytes * id / all, 0, bytes * (id + 1) / all - bytes * id / all);
    if (s->val && ni < s->n) { /* some will stay without an entry: see list_to_bitmap (chunk.c) */
      const uint64_t begin = s->n * id / all, end = s->n * (id + 1) / all;
      memset((char *)s->val + begin * u->type->size, 0, (end - begin) * u->type->size);
    }
#pragma omp barrier
    for (uint64_t k = from; k < to; k += block) { /* a block's indices stay in the cache for its values */
      const uint64_t end = to - k < block ? to : k + block;
      bad = mark_positions(s, k, end, full ? SELECTED | ENTRY : SELECTED) || bad;
      if (full && s->val) scatter_run(s, k, end);
    }
#pragma omp barrier
    if (u && !full) scatter_entries(s, work * id / all, work * (id + 1) / all);
  }
  return bad;
}

/* Bits of the places with such a mark. */
static uint64_t bits_of_marks(uint64_t *bits, const scatter *s, unsigned char what) {
  const int64_t words = (int64_t)grid_words(s->n);
  const uint64_t each = UINT64_C(0x0101010101010101) * what;
  uint64_t count = 0;
#pragma omp parallel for schedule(static) reduction(+ : count) num_threads(grid_word_threads((uint64_t)words))
  for (int64_t w = 0; w < words; w++) {
    unsigned char b[64];
    for (int k = 0; k < 64; k += 8) {
      uint64_t x;
      memcpy(&x, s->mark + 64 * w + k, sizeof x);
      x = (x & each) >> (what >> 1);
      memcpy(b + k, &x, sizeof x);
    }
    count += grid_popcount(bits[w] = grid_word_of_bools(b));
  }
  return count;
}

static GrB_Info marks_to_chunk(grid_chunk *c, const scatter *s, unsigned char what, bool iso,
                               const void *value) {
  c->nvals = bits_of_marks(c->bits, s, what);
  c->format = GRID_BITMAP, c->iso = iso && c->nvals;
  if (iso) memcpy(c->val, value, c->type->size);
  return grid_chunk_choose_format(c);
}

static GrB_Info scatter_dense(grid_chunk *t, grid_chunk *named, const grid_chunk *u, const uint64_t *I,
                              uint64_t ni, bool *bad) {
  static const bool yes = true;
  GrB_Info info = GrB_SUCCESS;
  const uint64_t words = grid_words(named->n);
  scatter s = {.u = u, .I = I, .n = named->n};
  s.mark = grid_malloc(words, 64);
  if (!s.mark) TRY(grid_fail_memory(NULL, "marks of places", words, 64));
  TRY(grid_chunk_reserve_dense(named, true));
  if (u) TRY(grid_chunk_reserve_dense(t, u->iso));
  if (u && !u->iso) s.val = t->val;
  *bad = scatter_all(&s, ni, grid_word_threads(ni / 64));
  if (*bad) goto done;
  TRY(marks_to_chunk(named, &s, SELECTED, true, &yes));
  if (s.val && named->nvals < ni)
    (void)scatter_all(&s, ni, 1); /* several for a place: the last, by no race */
  if (u) TRY(marks_to_chunk(t, &s, ENTRY, u->iso, u->val));
done:
  grid_free(s.mark);
  return info;
}

/* Few indices, or too long a result: lists, sorted. */
static GrB_Info scatter_lists(grid_chunk *t, grid_chunk *named, const grid_chunk *u, const uint64_t *I,
                              uint64_t ni, bool *bad) {
  static const bool yes = true;
  static const grid_dup last = {.last = true};
  GrB_Info info = GrB_SUCCESS;
  uint64_t where, *idx = NULL;
  char *val = NULL;
  for (uint64_t k = 0; k < ni; k++) *bad |= I[k] >= named->n;
  if (*bad) return info;
  TRY(grid_cpu_vec_build(named, I, &yes, GrB_BOOL, 0, ni, last, &where));
  if (!u || u->nvals == 0) return info;
  if (u->format != GRID_FULL) {
    idx = grid_malloc(u->nvals, sizeof *idx);
    if (!idx) TRY(grid_fail_memory(NULL, "indices of entries", u->nvals, sizeof *idx));
    grid_cpu_vec_tuples(idx, NULL, u->type, u, 0);
    for (uint64_t k = 0; k < u->nvals; k++) idx[k] = I[idx[k]];
  }
  if (u->format == GRID_BITMAP && !u->iso) {
    val = grid_malloc(u->nvals, u->type->size);
    if (!val) TRY(grid_fail_memory(NULL, "entries to assign", u->nvals, u->type->size));
    grid_cpu_vec_tuples(NULL, val, u->type, u, 0);
  }
  TRY(grid_cpu_vec_build(t, idx ? idx : I, val ? val : u->val, u->type, !u->iso, u->nvals, last, &where));
done:
  grid_free(idx);
  grid_free(val);
  return info;
}

GrB_Info grid_cpu_vec_scatter(grid_chunk *t, grid_chunk *named, const grid_chunk *u, const uint64_t *I,
                              uint64_t ni, bool *bad) {
  const bool dense = named->n <= GRID_DENSE_LENGTH_MAX && ni > named->n / GRID_LIST_SHARE;
  *bad = false;
  GrB_Info info = (dense ? scatter_dense : scatter_lists)(t, named, u, I, ni, bad);
  if (info == GrB_SUCCESS && !*bad) return info;
  grid_chunk_empty(named);
  if (u) grid_chunk_empty(t);
  return info;
}

GrB_Info grid_cpu_vec_build_dense(grid_chunk *t, const uint64_t *idx, const void *x, GrB_Type xt,
                                  size_t xstep, uint64_t n, bool last, bool *stored) {
  GrB_Info info = GrB_SUCCESS;
  const bool cast = xt != t->type;
  grid_chunk named, u = {.n = n, .nvals = n, .type = t->type, .format = GRID_FULL, .iso = !xstep};
  bool bad;
  *stored = false;
  if (n < 4096 || t->n > GRID_DENSE_LENGTH_MAX || n <= t->n / GRID_LIST_SHARE) return info;
  grid_chunk_init(&named, GrB_BOOL, t->n);
  u.val = cast ? grid_malloc(xstep ? n : 1, t->type->size) : (void *)(uintptr_t)x;
  if (!u.val) TRY(grid_fail_memory(NULL, "converted values", n, t->type->size));
  if (cast) grid_cast_array(u.val, t->type, x, xt, 1, xstep ? n : 1);
  TRY(grid_cpu_vec_scatter(t, &named, &u, idx, n, &bad));
  *stored = last || named.nvals == n;
  if (!*stored) grid_chunk_empty(t);
done:
  if (cast) grid_free(u.val);
  grid_chunk_free(&named);
  return info;
}
