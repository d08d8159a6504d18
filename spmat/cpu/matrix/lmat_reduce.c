/* Reductions over the value array of a local matrix; see lmat_reduce.h.
 *
 * Threads take 64 vectors at a time. If the values have the monoid's type its loop runs over them in place,
 * else they are cast in blocks. Vectors too long for one thread are reduced afterwards, by all threads. An
 * iso matrix needs only the numbers of entries: x + ... + x is composed of x, 2x, 4x, ... */
#include "spmat/cpu/matrix/lmat_reduce.h"

#include "semiring/support/simd_levels.h"
#include "spmat/cpu/arrays/reduce_array.h"
#include "spmat/cpu/rows/row_shares.h"
#include "spmat/cpu/vector/vec_cpu.h"

/* A vector with more entries is shared by all threads, in segments of a fixed length. */
#define LONG_VECTOR  (UINT64_C(1) << 17)
#define LONG_SEGMENT (UINT64_C(1) << 14)
enum {
  CAST = 1024,      /* values of 64 vectors that are cast together */
  SHARE_WORDS = 256 /* words of vectors a thread takes at a time, at most */
};

typedef struct {
  const grid_compressed *c;
  uint64_t n;
  grid_adder add;
  const char *x; /* values; unused if the matrix is iso */
  char *z;
  uint64_t *bits;
  uint64_t *longer, nlonger; /* vectors left for all threads */
} reduce_job;

static void sum_short_vectors(reduce_job *s, uint64_t first, const uint64_t *start, size_t n) {
  for (size_t v = 0; v < n; v++) {
    const uint64_t count = start[v + 1] - start[v];
    char *z = s->z + (first + v) * s->add.z->size;
    if (count == 0) continue;
    if (s->add.doubled)
      grid_adder_multiple(&s->add, z, count);
    else if (count <= LONG_VECTOR || s->add.any)
      grid_adder_run(&s->add, z, s->x + start[v] * s->add.x->size, count);
    else
      s->longer[__atomic_fetch_add(&s->nlonger, 1, __ATOMIC_RELAXED)] = first + v;
  }
}

/* start[v] = the offset of vector first + v, v <= n <= 64; *most, *least: the most and the fewest entries of
 * one of the n vectors. */
GRID_LEVELS static void read_starts(uint64_t *start, const grid_compressed *c, uint64_t first, size_t n,
                                    uint64_t *most, uint64_t *least) {
  uint64_t longest = 0, shortest = UINT64_MAX;
  for (size_t v = 0; v <= n; v++) start[v] = grid_vector_start(c, first + v);
  for (size_t v = 0; v < n; v++) {
    const uint64_t count = start[v + 1] - start[v];
    longest = count > longest ? count : longest;
    shortest = count < shortest ? count : shortest;
  }
  *most = longest, *least = shortest;
}

/* The bits of vectors with entries. */
static uint64_t find_nonempty(const uint64_t *start, size_t n) {
  uint64_t nonempty = 0;
  for (size_t v = 0; v < n; v++) nonempty |= (uint64_t)(start[v + 1] > start[v]) << v;
  return nonempty;
}

/* 64 vectors beginning at `first`; returns how many have entries. */
static uint64_t sum_word(reduce_job *s, uint64_t first) {
  const size_t n = s->n - first < 64 ? (size_t)(s->n - first) : 64;
  uint64_t start[65], most, least;
  read_starts(start, s->c, first, n, &most, &least);
  const uint64_t nonempty = least ? grid_tail(s->n, first / 64) : find_nonempty(start, n);
  s->bits[first / 64] = nonempty;
  const grid_adder *a = &s->add;
  const uint64_t all = start[n] - start[0];
  char *z = s->z + first * a->z->size;
  if (a->doubled || !a->loop || a->any || most > LONG_VECTOR || (a->cast.cast && all > CAST)) {
    sum_short_vectors(s, first, start, n);
  } else if (a->cast.cast) {
    uint64_t cast[CAST];
    grid_copy_run(&a->cast, cast, s->x + start[0] * a->x->size, 1, all);
    for (size_t v = n + 1; v-- > 0;) start[v] -= start[0];
    a->loop(z, cast, start, n);
  } else {
    a->loop(z, s->x, start, n);
  }
  return grid_popcount(nonempty);
}

static uint64_t sum_words(reduce_job *s, uint64_t from, uint64_t to) {
  uint64_t count = 0;
  for (uint64_t w = from; w < to; w++) count += sum_word(s, 64 * w);
  return count;
}

/* A vector that is too long for one thread. */
static GrB_Info sum_long_vector(const reduce_job *s, uint64_t v) {
  const uint64_t from = grid_vector_start(s->c, v), to = grid_vector_start(s->c, v + 1);
  const int64_t segments = (int64_t)((to - from + LONG_SEGMENT - 1) / LONG_SEGMENT);
  const size_t zs = s->add.z->size, xs = s->add.x->size;
  char *z = s->z + v * zs, *partial = grid_malloc((size_t)segments, zs);
  if (!partial) return grid_fail_memory(NULL, "partial sums", (uint64_t)segments, zs);
#pragma omp parallel for schedule(static) num_threads(grid_word_threads((to - from) / 64))
  for (int64_t p = 0; p < segments; p++) {
    const uint64_t k = from + (uint64_t)p * LONG_SEGMENT;
    grid_adder_run(&s->add, partial + (size_t)p * zs, s->x + k * xs,
                   to - k < LONG_SEGMENT ? to - k : LONG_SEGMENT);
  }
  for (int64_t p = 0; p < segments; p++) grid_adder_combine(&s->add, z, partial + (size_t)p * zs, p > 0);
  grid_free(partial);
  return GrB_SUCCESS;
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

GrB_Info grid_lmat_sum_vectors(void *z, uint64_t *bits, uint64_t *found, const grid_local_matrix *p,
                               const grid_compressed *c, uint64_t n, GrB_Monoid monoid, const void *one) {
  GrB_Info info = GrB_SUCCESS;
  const uint64_t words = grid_words(n);
  uint64_t count = 0;
  reduce_job s = {.c = c, .n = n, .x = c->val, .z = z, .bits = bits};
  *found = 0;
  if (p->nvals == 0) {
    if (words) memset(bits, 0, words * sizeof *bits);
    return info;
  }
  TRY(grid_adder_bind(&s.add, monoid->op, monoid->any, one ? monoid->op->z : p->type));
  if (one || p->iso)
    TRY(grid_adder_double(&s.add, one ? one : p->iso_val, p->nvals, monoid->idempotent || monoid->any));
  s.longer = grid_malloc(p->nvals / LONG_VECTOR, sizeof *s.longer);
  if (!s.longer) TRY(grid_fail_memory(NULL, "long vectors", p->nvals / LONG_VECTOR, sizeof *s.longer));
  const int threads = grid_work_threads(p->nvals / 16); /* entries cost more than words of a bitmap */
  if (grid_is_serial(threads)) {
    count = sum_words(&s, 0, words);
  } else {
    const uint64_t shares = grid_row_shares(words, SHARE_WORDS, threads);
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : count) num_threads(threads)
    for (uint64_t k = 0; k < shares; k++)
      count +=
          sum_words(&s, grid_row_share_start(c, n, k, shares), grid_row_share_start(c, n, k + 1, shares));
  }
  for (uint64_t k = 0; k < s.nlonger; k++) TRY(sum_long_vector(&s, s.longer[k]));
  *found = count;
done:
  grid_adder_free(&s.add);
  grid_free(s.longer);
  return info;
}

/* Reduces the array of values as a full vector. */
GrB_Info grid_cpu_lmat_sum(void *z, const grid_local_matrix *p, GrB_Monoid monoid) {
  bool present;
  const grid_chunk all = {.n = p->nvals,
                          .nvals = p->nvals,
                          .type = p->type,
                          .format = GRID_FULL,
                          .iso = p->iso,
                          .val = p->iso ? p->iso_val : p->by_row.val};
  return grid_cpu_vec_reduce(z, &present, &all, monoid->op, monoid->terminal, monoid->any);
}
