/* Scatters entries by a list of indices directly to dense arrays, in whatever order the indices are. */
#include "spmat/cpu/vector/vec_cpu.h"
#include "spmat/vector/value_sizes.h"

/* A byte for each index: is it named, does it get an entry? Bits would need atomic writes. */
enum { SELECTED = 1, ENTRY = 2 };

typedef struct {
  unsigned char *mark; /* padded to whole words */
  char *val;           /* NULL: no values */
  const grid_chunk *u;
  const uint64_t *I;
  uint64_t n; /* indices */
} scatter;

static inline void mark(const scatter *s, uint64_t i, unsigned char what) {
  __atomic_store_n(&s->mark[i], what, __ATOMIC_RELAXED);
}

/* Marks the indices I[from .. to); returns whether one is out of range. */
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

/* Entry number `at` of u, whose index is k. */
static void scatter_one(const scatter *s, uint64_t k, uint64_t at) {
  const size_t size = s->u->type->size;
  if (s->I[k] >= s->n) return;
  mark(s, s->I[k], SELECTED | ENTRY);
  if (s->val) grid_value_copy(s->val + s->I[k] * size, (const char *)s->u->val + at * size, size);
}

/* Entries of a u that is not full: its words, or list entries, from .. to - 1. */
static void scatter_entries(const scatter *s, uint64_t from, uint64_t to) {
  const grid_chunk *u = s->u;
  for (uint64_t w = from; u->format == GRID_BITMAP && w < to; w++)
    for (uint64_t x = u->bits[w]; x; x &= x - 1) {
      const uint64_t k = 64 * w + grid_low_bit(x);
      scatter_one(s, k, k);
    }
  for (uint64_t k = from; u->format == GRID_LIST && k < to; k++) scatter_one(s, u->idx[k], k);
}

/* All entries, by this many threads; returns whether an index is out of range. */
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
    if (s->val && ni < s->n) { /* some indices get no entry: see list_to_bitmap (chunk_memory.c) */
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

/* Bits of the indices with such a mark. */
static uint64_t bits_of_marks(uint64_t *bits, const scatter *s, unsigned char what) {
  const int64_t words = (int64_t)grid_words(s->n);
  const uint64_t pattern = UINT64_C(0x0101010101010101) * what;
  uint64_t count = 0;
#pragma omp parallel for schedule(static) reduction(+ : count) num_threads(grid_work_threads((uint64_t)words))
  for (int64_t w = 0; w < words; w++) {
    unsigned char b[64];
    for (int k = 0; k < 64; k += 8) {
      uint64_t x;
      memcpy(&x, s->mark + 64 * w + k, sizeof x);
      x = (x & pattern) >> (what >> 1);
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

GrB_Info grid_cpu_vec_scatter_dense(grid_chunk *t, grid_chunk *named, const grid_chunk *u, const uint64_t *I,
                                    uint64_t ni, bool *bad) {
  static const bool yes = true;
  GrB_Info info = GrB_SUCCESS;
  const uint64_t words = grid_words(named->n);
  scatter s = {.u = u, .I = I, .n = named->n};
  *bad = false;
  s.mark = grid_malloc(words, 64);
  if (!s.mark) TRY(grid_fail_memory(NULL, "marks of indices", words, 64));
  TRY(grid_chunk_reserve_dense(named, true));
  if (u) TRY(grid_chunk_reserve_dense(t, u->iso));
  if (u && !u->iso) s.val = t->val;
  *bad = scatter_all(&s, ni, grid_work_threads(ni / 64 + (u ? u->nvals / 16 : 0))); /* values cost most */
  if (*bad) goto done;
  TRY(marks_to_chunk(named, &s, SELECTED, true, &yes));
  if (s.val && named->nvals < ni)
    (void)scatter_all(&s, ni, 1); /* equal indices: the last one wins, without a race */
  if (u) TRY(marks_to_chunk(t, &s, ENTRY, u->iso, u->val));
done:
  grid_free(s.mark);
  if (info != GrB_SUCCESS || *bad) {
    grid_chunk_empty(named);
    if (u) grid_chunk_empty(t);
  }
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
  TRY(grid_cpu_vec_scatter_dense(t, &named, &u, idx, n, &bad));
  *stored = last || named.nvals == n;
  if (!*stored) grid_chunk_empty(t);
done:
  if (cast) grid_free(u.val);
  grid_chunk_free(&named);
  return info;
}
