/* Builds a chunk from tuples in any order, and extracts tuples. */
#include "spmat/cpu/vector/vec_cpu.h"
#include "spmat/vector/chunk_memory.h"

/* ---- sorting ------------------------------------------------------------------------------------------- */

/* A tuple's index, and its original number. */
typedef struct {
  uint64_t i, k;
} key;

static bool is_nondecreasing(const uint64_t *idx, uint64_t n) {
  for (uint64_t k = 1; k < n; k++)
    if (idx[k] < idx[k - 1]) return false;
  return true;
}

/* One stable pass by the byte at `shift`; false if all have the same byte (nothing moved). */
static bool radix_pass(key *to, const key *from, uint64_t n, int shift) {
  uint64_t start[257] = {0};
  for (uint64_t k = 0; k < n; k++) start[(from[k].i >> shift & 255) + 1]++;
  for (int b = 0; b < 256; b++) {
    if (start[b + 1] == n) return false;
    start[b + 1] += start[b];
  }
  for (uint64_t k = 0; k < n; k++) to[start[from[k].i >> shift & 255]++] = from[k];
  return true;
}

/* Stable sort by index; indices are below limit. Returns the one of a, b that holds the result. */
static key *sort_keys(key *a, key *b, uint64_t n, uint64_t limit) {
  for (int shift = 0; shift < 64 && limit >> shift; shift += 8)
    if (radix_pass(b, a, n, shift)) {
      key *t = a;
      a = b, b = t;
    }
  return a;
}

/* No index occurs twice then. */
static bool is_ascending(const uint64_t *idx, uint64_t n) {
  for (uint64_t k = 1; k < n; k++)
    if (idx[k] <= idx[k - 1]) return false;
  return true;
}

/* ---- copying ------------------------------------------------------------------------------------------- */

/* z[k] = first + idx[k], or first + k */
static void copy_indices(uint64_t *z, const uint64_t *idx, uint64_t first, uint64_t n) {
  if (idx && first == 0) {
    grid_copy_bytes(z, idx, n * sizeof *z);
    return;
  }
#pragma omp parallel for schedule(static) num_threads(grid_word_threads(n / 64))
  for (uint64_t k = 0; k < n; k++) z[k] = first + (idx ? idx[k] : k);
}

/* Copies an array in segments, with all threads. */
static void copy_values(const grid_copier *copy, char *z, const char *x, size_t xstep, uint64_t n) {
  const int64_t block = 1 << 14;
  const int threads = grid_word_threads(n / 64);
  if (grid_is_serial(threads)) {
    grid_copy_run(copy, z, x, xstep, n);
    return;
  }
#pragma omp parallel for schedule(static) num_threads(threads)
  for (int64_t k = 0; k < (int64_t)n; k += block) {
    const size_t m = n - (uint64_t)k < (uint64_t)block ? n - (uint64_t)k : (size_t)block;
    grid_copy_run(copy, z + (size_t)k * copy->z->size, x + (size_t)k * xstep * copy->x->size, xstep, m);
  }
}

/* ---- build --------------------------------------------------------------------------------------------- */

typedef struct {
  grid_chunk *t;
  const char *x;
  size_t xs, step;
  grid_copier copy; /* tuple -> entry */
  grid_dup dup;
  grid_binary combine; /* sum = dup(sum, tuple) */
  grid_copier start;   /* tuple -> sum */
  grid_copier end;     /* sum -> entry */
  char *sum;
} builder;

/* Tuples keys[0..n) (or number 0.. of idx when keys is NULL: already in order) become entries. */
static GrB_Info collect(builder *b, const key *keys, const uint64_t *idx, uint64_t n, uint64_t *where) {
  grid_chunk *t = b->t;
  const size_t zs = t->type->size;
  uint64_t m = 0;
  for (uint64_t k = 0, next; k < n; k = next) {
    const uint64_t i = keys ? keys[k].i : idx[k];
    for (next = k + 1; next < n && (keys ? keys[next].i : idx[next]) == i; next++) continue;
#define TUPLE(l) (b->x + (keys ? keys[l].k : (l)) * b->step * b->xs)
    char *z = (char *)t->val + (t->iso ? 0 : m * zs);
    if (next - k == 1 || (!b->dup.dup && b->dup.last)) {
      if (!t->iso || m == 0) grid_copy_value(&b->copy, z, TUPLE(next - 1));
    } else if (!b->dup.dup) {
      *where = i;
      return GrB_INVALID_VALUE;
    } else {
      grid_copy_value(&b->start, b->sum, TUPLE(k));
      for (uint64_t l = k + 1; l < next; l++) grid_binary_apply(&b->combine, b->sum, b->sum, TUPLE(l));
      grid_copy_value(&b->end, z, b->sum);
    }
#undef TUPLE
    t->idx[m++] = i;
  }
  t->nvals = m;
  return GrB_SUCCESS;
}

/* Ascending tuples: a list, or full. *stored is false for a bitmap that threads fill as dense arrays. */
static GrB_Info build_ascending(grid_chunk *t, const uint64_t *idx, const void *x, GrB_Type xt, size_t xstep,
                                uint64_t n, bool *stored) {
  const grid_copier copy = grid_copier_bind(t->type, xt);
  const bool full = n == t->n;
  GrB_Info info = GrB_SUCCESS;
  *stored =
      (full || grid_chunk_is_short_list(t, n) || grid_word_threads(n / 64) == 1) && is_ascending(idx, n);
  if (!*stored) return info;
  TRY(full ? grid_chunk_reserve_val(t, xstep ? n : 1) : grid_chunk_reserve_list(t, n, !xstep));
  if (!full) copy_indices(t->idx, idx, 0, n);
  copy_values(&copy, t->val, x, 1, xstep ? n : 1);
  t->format = full ? GRID_FULL : GRID_LIST, t->iso = !xstep, t->nvals = n;
  info = grid_chunk_choose_format(t);
done:
  return info;
}

GrB_Info grid_cpu_vec_build(grid_chunk *t, const uint64_t *idx, const void *x, GrB_Type xt, size_t xstep,
                            uint64_t n, grid_dup dup, uint64_t *where) {
  GrB_Info info = GrB_SUCCESS;
  builder b = {
      .t = t, .x = x, .xs = xt->size, .step = xstep, .dup = dup, .copy = grid_copier_bind(t->type, xt)};
  key *keys = NULL, *scratch = NULL, *sorted = NULL;
  bool stored;
  if (n == 0) return GrB_SUCCESS;
  TRY(build_ascending(t, idx, x, xt, xstep, n, &stored));
  if (stored) goto done;
  TRY(dup.dup ? grid_cpu_vec_combine(t, idx, x, xt, xstep, n, dup.dup, &stored)
              : grid_cpu_vec_build_dense(t, idx, x, xt, xstep, n, dup.last, &stored));
  if (stored) goto done;
  const bool iso = xstep == 0 && !dup.dup; /* iso */
  if (dup.dup) {
    TRY(grid_binary_bind(&b.combine, dup.dup, dup.dup->z, dup.dup->x, xt));
    b.start = grid_copier_bind(dup.dup->x, xt);
    b.end = grid_copier_bind(t->type, dup.dup->z);
    b.sum = grid_malloc(1, dup.dup->z->size);
    if (!b.sum) TRY(grid_fail_memory(NULL, "a sum of duplicates", 1, dup.dup->z->size));
  }
  if (!is_nondecreasing(idx, n)) {
    keys = grid_malloc(n, sizeof *keys);
    scratch = grid_malloc(n, sizeof *keys);
    if (!keys || !scratch) TRY(grid_fail_memory(NULL, "tuples to sort", 2 * n, sizeof *keys));
    for (uint64_t k = 0; k < n; k++) keys[k] = (key){idx[k], k};
    sorted = sort_keys(keys, scratch, n, t->n);
  }
  TRY(grid_chunk_reserve_list(t, n, iso));
  t->format = GRID_LIST, t->iso = iso;
  TRY(collect(&b, sorted, idx, n, where));
  TRY(grid_chunk_choose_format(t));
done:
  grid_free(keys);
  grid_free(scratch);
  grid_free(b.sum);
  grid_binary_free(&b.combine);
  if (info != GrB_SUCCESS) grid_chunk_empty(t);
  return info;
}

/* ---- tuples of a chunk --------------------------------------------------------------------------------- */

void grid_cpu_vec_tuples(uint64_t *idx, void *x, GrB_Type xt, const grid_chunk *u, uint64_t first) {
  const grid_copier copy = grid_copier_bind(xt, u->type);
  if (u->format == GRID_BITMAP) {
    if (idx) grid_pack_indices(idx, first, u->bits, u->n, u->nvals);
    if (x) grid_pack_values(x, &copy, u->val, !u->iso, u->bits, u->n, u->nvals);
    return;
  }
  if (idx) copy_indices(idx, u->format == GRID_LIST ? u->idx : NULL, first, u->nvals);
  if (x) copy_values(&copy, x, u->val, !u->iso, u->nvals);
}
