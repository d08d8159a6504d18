/* part_reduce.c: sums over the value array of a part; see part_reduce.h.
 *
 * 64 vectors at a time, handed out to the threads as they come. Where the values have the monoid's type its
 * loop runs over them as they lie; else they are cast by blocks. Vectors too long for one thread are summed
 * afterwards, by all. A part of one value needs the numbers of entries alone: x + ... + x is put together of
 * x, 2x, 4x, ... */
#include "spmat/cpu/part_reduce.h"

#include "semiring/sums.h"
#include "spmat/cpu/vec.h"

/* A vector of more entries than this is shared by all threads, in pieces of a fixed length. */
#define LONG_VECTOR (UINT64_C(1) << 17)
#define LONG_PIECE  (UINT64_C(1) << 14)
/* Values that are cast at a time. */
enum { CAST = 1024 };

typedef struct {
  const grid_compressed *c;
  uint64_t n;
  const char *x; /* values; unless the part has one */
  size_t xs, zs;
  grid_copier cast;    /* value -> monoid */
  grid_sums_loop loop; /* NULL: the operator is called for each value */
  grid_binary add;     /* sum + value */
  grid_binary join;    /* sum + sum */
  bool any;
  char *doubled; /* a part of one value x: x, 2x, 4x, ... */
  char *z;
  uint64_t *bits;
  uint64_t *longer, nlonger; /* vectors that wait for all threads */
} summing;

/* ---- one value -------------------------------------------------------------------------------------------
 */

static GrB_Info make_doubled(summing *s, const void *one, uint64_t most, bool idempotent) {
  unsigned levels = 1;
  while (levels < 64 && most >> levels) levels++;
  s->doubled = grid_malloc(levels, s->zs);
  if (!s->doubled) return grid_fail_memory(NULL, "multiples of a value", levels, s->zs);
  memcpy(s->doubled, one, s->zs);
  for (unsigned k = 1; k < levels; k++) {
    char *z = s->doubled + k * s->zs;
    memcpy(z, z - s->zs, s->zs);
    if (!idempotent) grid_binary_one(&s->join, z, z - s->zs, z - s->zs);
  }
  return GrB_SUCCESS;
}

/* *z = the sum of `count` times the value, count > 0 */
static void multiple(const summing *s, char *z, uint64_t count) {
  bool some = false;
  for (; count; count &= count - 1) {
    const char *x = s->doubled + grid_low_bit(count) * s->zs;
    if (some)
      grid_binary_one(&s->join, z, z, x);
    else
      memcpy(z, x, s->zs);
    some = true;
  }
}

/* ---- runs of values --------------------------------------------------------------------------------------
 */

/* *z = the sum of values from .. to - 1, which are some */
static void sum_run(const summing *s, char *z, uint64_t from, uint64_t to) {
  const char *x = s->x + from * s->xs;
  uint64_t cast[CAST], part;
  if (s->any || !s->loop) {
    grid_copy_one(&s->cast, z, x);
    for (uint64_t k = from + 1; k < to && !s->any; k++) grid_binary_one(&s->add, z, z, x += s->xs);
    return;
  }
  for (uint64_t k = from; k < to; k += CAST) {
    const uint64_t start[2] = {0, to - k < CAST ? to - k : CAST};
    grid_copy_run(&s->cast, cast, s->x + k * s->xs, 1, start[1]);
    s->loop(k == from ? (void *)z : &part, cast, start, 1);
    if (k != from) grid_binary_one(&s->join, z, z, &part);
  }
}

static void sum_each(summing *s, uint64_t first, const uint64_t *start, size_t n) {
  for (size_t v = 0; v < n; v++) {
    const uint64_t count = start[v + 1] - start[v];
    char *z = s->z + (first + v) * s->zs;
    if (count == 0) continue;
    if (s->doubled)
      multiple(s, z, count);
    else if (count <= LONG_VECTOR || s->any)
      sum_run(s, z, start[v], start[v + 1]);
    else
      s->longer[__atomic_fetch_add(&s->nlonger, 1, __ATOMIC_RELAXED)] = first + v;
  }
}

/* 64 vectors from the first on; returns how many have entries. */
static uint64_t sum_word(summing *s, uint64_t first) {
  const size_t n = s->n - first < 64 ? (size_t)(s->n - first) : 64;
  uint64_t start[65], some = 0, most = 0;
  for (size_t v = 0; v <= n; v++) start[v] = grid_vector_start(s->c, first + v);
  for (size_t v = 0; v < n; v++) {
    const uint64_t count = start[v + 1] - start[v];
    some |= (uint64_t)(count > 0) << v;
    most = count > most ? count : most;
  }
  s->bits[first / 64] = some;
  const uint64_t all = start[n] - start[0];
  if (s->doubled || !s->loop || s->any || most > LONG_VECTOR || (s->cast.cast && all > CAST)) {
    sum_each(s, first, start, n);
  } else if (s->cast.cast) {
    uint64_t cast[CAST];
    grid_copy_run(&s->cast, cast, s->x + start[0] * s->xs, 1, all);
    for (size_t v = n + 1; v-- > 0;) start[v] -= start[0];
    s->loop(s->z + first * s->zs, cast, start, n);
  } else {
    s->loop(s->z + first * s->zs, s->x, start, n);
  }
  return grid_popcount(some);
}

/* One of those that are too long for a thread. */
static GrB_Info sum_long(const summing *s, uint64_t v) {
  const uint64_t from = grid_vector_start(s->c, v), to = grid_vector_start(s->c, v + 1);
  const int64_t pieces = (int64_t)((to - from + LONG_PIECE - 1) / LONG_PIECE);
  char *z = s->z + v * s->zs, *part = grid_malloc((size_t)pieces, s->zs);
  if (!part) return grid_fail_memory(NULL, "partial sums", (uint64_t)pieces, s->zs);
#pragma omp parallel for schedule(static) num_threads(grid_word_threads((to - from) / 64))
  for (int64_t p = 0; p < pieces; p++) {
    const uint64_t k = from + (uint64_t)p * LONG_PIECE;
    sum_run(s, part + (size_t)p * s->zs, k, to - k < LONG_PIECE ? to : k + LONG_PIECE);
  }
  memcpy(z, part, s->zs);
  for (int64_t p = 1; p < pieces; p++) grid_binary_one(&s->join, z, z, part + (size_t)p * s->zs);
  grid_free(part);
  return GrB_SUCCESS;
}

/* ---- the whole -------------------------------------------------------------------------------------------
 */

/* cast_one: *one in the monoid's type, from a part of one value. To be freed, also after an error. */
static GrB_Info begin(summing *s, const grid_part *p, GrB_Monoid monoid, const void *one) {
  GrB_Info info = GrB_SUCCESS;
  const GrB_Type z = monoid->op->z;
  char *value = NULL;
  s->xs = p->type->size, s->zs = z->size;
  s->any = monoid->any;
  s->cast = grid_copier_bind(z, p->type);
  s->loop = grid_sums_of(monoid->op);
  TRY(grid_binary_bind(&s->join, monoid->op, z, z, z));
  if (!one && p->iso && p->nvals) {
    value = grid_malloc(1, z->size);
    if (!value) TRY(grid_fail_memory(NULL, "a value", 1, z->size));
    grid_copy_one(&s->cast, value, p->iso_val);
    one = value;
  }
  if (one)
    TRY(make_doubled(s, one, p->nvals, monoid->idempotent || monoid->any));
  else
    TRY(grid_binary_bind(&s->add, monoid->op, z, z, p->type));
done:
  grid_free(value);
  return info;
}

static void end(summing *s) {
  grid_free(s->doubled);
  grid_free(s->longer);
  grid_binary_free(&s->add);
  grid_binary_free(&s->join);
}

GrB_Info grid_part_sums(void *z, uint64_t *bits, uint64_t *found, const grid_part *p,
                        const grid_compressed *c, uint64_t n, GrB_Monoid monoid, const void *one) {
  GrB_Info info = GrB_SUCCESS;
  const int64_t words = (int64_t)grid_words(n);
  uint64_t count = 0;
  summing s = {.c = c, .n = n, .x = c->val, .z = z, .bits = bits};
  *found = 0;
  if (p->nvals == 0) {
    if (words) memset(bits, 0, (size_t)words * sizeof *bits);
    return info;
  }
  TRY(begin(&s, p, monoid, one));
  s.longer = grid_malloc(p->nvals / LONG_VECTOR, sizeof *s.longer);
  if (!s.longer) TRY(grid_fail_memory(NULL, "long vectors", p->nvals / LONG_VECTOR, sizeof *s.longer));
#pragma omp parallel for schedule(dynamic, 8) reduction(+ : count) num_threads(grid_word_threads(p->nvals / 64))
  for (int64_t w = 0; w < words; w++) count += sum_word(&s, 64 * (uint64_t)w);
  for (uint64_t k = 0; k < s.nlonger; k++) TRY(sum_long(&s, s.longer[k]));
  *found = count;
done:
  end(&s);
  return info;
}

GrB_Info grid_part_sum(void *z, bool *present, const grid_part *p, GrB_Monoid monoid) {
  GrB_Info info = GrB_SUCCESS;
  summing s = {0};
  *present = p->nvals > 0;
  if (p->nvals == 0) return info;
  if (!p->iso) {
    const grid_chunk all = {
        .n = p->nvals, .nvals = p->nvals, .type = p->type, .format = GRID_FULL, .val = p->by_row.val};
    return grid_cpu_vec_reduce(z, present, &all, monoid->op, monoid->terminal, monoid->any);
  }
  TRY(begin(&s, p, monoid, NULL));
  multiple(&s, z, p->nvals);
done:
  end(&s);
  return info;
}
