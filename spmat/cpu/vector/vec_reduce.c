/* The reduction of a chunk's entries by an associative, commutative operator.
 *
 * Each segment of a fixed length has a result of its own, and these are combined in order. So the result,
 * rounding included, does not depend on the number of threads. */
#include "spmat/cpu/arrays/reduce_array.h"
#include "spmat/cpu/vector/vec_cpu.h"

/* Words of a segment, and values of a bitmap that are packed at a time. */
#define SEGMENT UINT64_C(1024)
enum { PACKED = 1024 };

/* Entries of words w .. end - 1 of a bitmap; returns whether there are any. */
static bool sum_bits(const grid_adder *a, char *z, const grid_chunk *u, uint64_t w, uint64_t end) {
  const size_t size = u->type->size;
  uint64_t pack[PACKED + 64], partial; /* room for values of a predefined type */
  size_t n = 0;
  bool has_value = false;
  for (; w < end; w++)
    for (uint64_t s = u->bits[w]; s;) {
      const char *x = (const char *)u->val + 64 * w * size;
      if (size > sizeof partial || a->z->size > sizeof partial) { /* of a user's type: one by one */
        x += grid_low_bit(s) * size, s &= s - 1;
        if (has_value)
          grid_binary_apply(&a->add, z, z, x);
        else
          grid_copy_value(&a->cast, z, x);
        has_value = true;
        continue;
      }
      n += grid_pack_word((char *)pack + n * size, x, s, size);
      s = 0;
      if (n < PACKED) continue;
      grid_adder_run(a, &partial, pack, n);
      grid_adder_combine(a, z, &partial, has_value);
      has_value = true, n = 0;
    }
  if (n) grid_adder_run(a, &partial, pack, n);
  if (n) grid_adder_combine(a, z, &partial, has_value);
  return has_value || n;
}

/* Segment p; returns whether it has entries. */
static bool sum_segment(const grid_adder *a, char *z, const grid_chunk *u, uint64_t p) {
  const uint64_t w = SEGMENT * p,
                 values = u->format == GRID_LIST ? u->nvals : u->n; /* values of a list are packed */
  const uint64_t words = grid_words(values), end = words - w < SEGMENT ? words : w + SEGMENT;
  if (u->format == GRID_BITMAP) return sum_bits(a, z, u, w, end);
  const uint64_t to = 64 * end < values ? 64 * end : values;
  grid_adder_run(a, z, (const char *)u->val + 64 * w * u->type->size, to - 64 * w);
  return true;
}

/* The results of all segments; has[p]: segment p has one. A terminal value in one of them is the result, so
 * segments not yet begun are skipped. */
static void sum_segments(const grid_adder *a, const grid_chunk *u, const void *terminal, uint64_t segments,
                         char *sums, bool *has) {
  const size_t size = a->z->size;
  bool done = false;
  const int threads = grid_word_threads(segments * SEGMENT);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (int64_t p = 0; p < (int64_t)segments; p++) {
    char *z = sums + (size_t)p * size;
    if (__atomic_load_n(&done, __ATOMIC_RELAXED)) continue;
    has[p] = sum_segment(a, z, u, (uint64_t)p);
    if (has[p] && terminal && memcmp(z, terminal, size) == 0) __atomic_store_n(&done, true, __ATOMIC_RELAXED);
  }
}

GrB_Info grid_cpu_vec_reduce(void *z, bool *present, const grid_chunk *u, GrB_BinaryOp op,
                             const void *terminal, bool any) {
  GrB_Info info = GrB_SUCCESS;
  const size_t size = op->z->size;
  const uint64_t values = u->format == GRID_LIST ? u->nvals : u->n;
  const uint64_t segments = (grid_words(values) + SEGMENT - 1) / SEGMENT;
  grid_adder a = {0};
  char *sums = NULL;
  bool *has = NULL;
  *present = u->nvals > 0;
  if (!*present) return info;
  TRY(grid_adder_bind(&a, op, any, u->type));
  if (any || u->iso) {
    grid_iter it = grid_iter_begin(u);
    grid_iter_next(&it);
    TRY(grid_adder_double(&a, it.v, any ? 1 : u->nvals, false));
    grid_adder_multiple(&a, z, any ? 1 : u->nvals);
    goto done;
  }
  if (segments == 1) {
    sum_segment(&a, z, u, 0);
    goto done;
  }
  sums = grid_malloc(segments, size);
  has = grid_calloc(segments, sizeof *has);
  if (!sums || !has) TRY(grid_fail_memory(NULL, "partial sums", segments, size + sizeof *has));
  sum_segments(&a, u, terminal, segments, sums, has);
  bool has_value = false;
  for (uint64_t p = 0; p < segments; p++) {
    if (!has[p]) continue;
    grid_adder_combine(&a, z, sums + p * size, has_value);
    has_value = true;
  }
done:
  grid_free(sums);
  grid_free(has);
  grid_adder_free(&a);
  return info;
}
