/* Gathers and scatters entries by a list of indices. Gather writes directly to dense arrays, in
 * whatever order the indices are; scatter does, too, unless the result is short (vec_scatter_dense.c). */
#include "spmat/cpu/vector/vec_cpu.h"
#include "spmat/vector/value_sizes.h"

/* ---- gather -------------------------------------------------------------------------------------------- */

/* Positions of u's entries. For many look-ups in a list: bits, and the number of entries before each word. */
typedef struct {
  const grid_chunk *u;
  uint64_t *bits, *before;
} lookup;

static void lookup_free(lookup *l) {
  grid_free(l->bits);
  grid_free(l->before);
}

/* The caller frees *l, also after an error. */
static GrB_Info lookup_make(lookup *l, const grid_chunk *u, uint64_t times) {
  const uint64_t words = grid_words(u->n);
  *l = (lookup){.u = u};
  if (u->format != GRID_LIST || words / 8 > times) return GrB_SUCCESS;
  l->bits = grid_malloc(words, sizeof *l->bits);
  l->before = grid_malloc(words, sizeof *l->before);
  if (!l->bits || !l->before)
    return grid_fail_memory(NULL, "positions of a list", 2 * words, sizeof *l->bits);
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

/* z[k] = x[I[k]]; returns whether some index is not below limit (which is not 0). No branch on the data: a
 * misprediction would cost more than a useless load. */
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

/* The same for the set bits of s alone: other indices are undefined. */
static uint64_t gather_bits_of(const lookup *l, char *z, const uint64_t *I, uint64_t s, size_t n, bool *bad) {
  uint64_t at[64];
  if (s == 0) return 0;
  for (size_t k = 0; k < n; k++) at[k] = s >> k & 1 ? I[k] : 0;
  return gather_word(l, z, at, n, bad) & s;
}

GrB_Info grid_cpu_vec_gather(grid_chunk *t, const grid_chunk *u, const uint64_t *I, const uint64_t *within,
                             bool *bad) {
  GrB_Info info = GrB_SUCCESS;
  const size_t size = u->type->size;
  const int64_t words = (int64_t)grid_words(t->n);
  const bool full = u->format == GRID_FULL && u->nvals && !within;
  uint64_t count = 0;
  bool wrong = false;
  lookup l = {0};
  *bad = u->n == 0 && t->n;
  if (u->n == 0 || t->n == 0) return info;
  TRY(lookup_make(&l, u, t->n));
  TRY(full ? grid_chunk_reserve_val(t, u->iso ? 1 : t->n) : grid_chunk_reserve_dense(t, u->iso));
#pragma omp parallel for schedule(static) reduction(+ : count) reduction(|| : wrong) \
    num_threads(grid_work_threads(8 * (uint64_t)words)) /* entries cost more than words of a bitmap */
  for (int64_t w = 0; w < words; w++) {
    const uint64_t at = 64 * (uint64_t)w, tail = grid_tail(t->n, (uint64_t)w);
    bool out = false;
    char *z = (char *)t->val + (u->iso ? 0 : at * size);
    const size_t n = grid_word_length(tail);
    const uint64_t s =
        within ? gather_bits_of(&l, z, I + at, within[w], n, &out) : gather_word(&l, z, I + at, n, &out);
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

/* ---- scatter ------------------------------------------------------------------------------------------- */

/* Few indices, or a very long result: sorted lists. */
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
  GrB_Info info = (dense ? grid_cpu_vec_scatter_dense : scatter_lists)(t, named, u, I, ni, bad);
  if (info == GrB_SUCCESS && !*bad) return info;
  grid_chunk_empty(named);
  if (u) grid_chunk_empty(t);
  return info;
}
