/* vec_reduce.c: the sum of a chunk's entries by an associative, commutative operator.
 *
 * Each piece of a fixed length has a sum of its own, and these are joined in their order: so the result,
 * rounding included, is the same whatever the number of threads. */
#include "spmat/cpu/adder.h"
#include "spmat/cpu/vector/vec.h"

/* Words of a piece, and values of a bitmap that are packed at a time. */
#define PIECE UINT64_C(1024)
enum { PACKED = 1024 };

/* Entries of a bitmap's words w .. end - 1; returns whether there are any. */
static bool sum_bits(const grid_adder *a, char *z, const grid_chunk *u, uint64_t w, uint64_t end) {
  const size_t size = u->type->size;
  uint64_t pack[PACKED + 64], part; /* room for values of a predefined type */
  size_t n = 0;
  bool some = false;
  for (; w < end; w++)
    for (uint64_t s = u->bits[w]; s;) {
      const char *x = (const char *)u->val + 64 * w * size;
      if (size > sizeof part || a->z->size > sizeof part) { /* of a user's type: one by one */
        x += grid_low_bit(s) * size, s &= s - 1;
        if (some)
          grid_binary_one(&a->add, z, z, x);
        else
          grid_copy_one(&a->cast, z, x);
        some = true;
        continue;
      }
      n += grid_pack_word((char *)pack + n * size, x, s, size);
      s = 0;
      if (n < PACKED) continue;
      grid_adder_run(a, &part, pack, n);
      grid_adder_join(a, z, &part, some);
      some = true, n = 0;
    }
  if (n) grid_adder_run(a, &part, pack, n);
  if (n) grid_adder_join(a, z, &part, some);
  return some || n;
}

/* Piece p; returns whether it has entries. */
static bool sum_piece(const grid_adder *a, char *z, const grid_chunk *u, uint64_t p) {
  const uint64_t w = PIECE * p, values = u->format == GRID_LIST ? u->nvals : u->n; /* a list's are packed */
  const uint64_t words = grid_words(values), end = words - w < PIECE ? words : w + PIECE;
  if (u->format == GRID_BITMAP) return sum_bits(a, z, u, w, end);
  const uint64_t to = 64 * end < values ? 64 * end : values;
  grid_adder_run(a, z, (const char *)u->val + 64 * w * u->type->size, to - 64 * w);
  return true;
}

/* The sums of all pieces; has[p]: is there one? A terminal value in one of them is the result, so what has
 * not been begun is left out. */
static void sum_pieces(const grid_adder *a, const grid_chunk *u, const void *terminal, uint64_t pieces,
                       char *sums, bool *has) {
  const size_t size = a->z->size;
  bool done = false;
  const int threads = grid_word_threads(pieces * PIECE);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (int64_t p = 0; p < (int64_t)pieces; p++) {
    char *z = sums + (size_t)p * size;
    if (__atomic_load_n(&done, __ATOMIC_RELAXED)) continue;
    has[p] = sum_piece(a, z, u, (uint64_t)p);
    if (has[p] && terminal && memcmp(z, terminal, size) == 0) __atomic_store_n(&done, true, __ATOMIC_RELAXED);
  }
}

GrB_Info grid_cpu_vec_reduce(void *z, bool *present, const grid_chunk *u, GrB_BinaryOp op,
                             const void *terminal, bool any) {
  GrB_Info info = GrB_SUCCESS;
  const size_t size = op->z->size;
  const uint64_t values = u->format == GRID_LIST ? u->nvals : u->n;
  const uint64_t pieces = (grid_words(values) + PIECE - 1) / PIECE;
  grid_adder a = {0};
  char *sums = NULL;
  bool *has = NULL;
  *present = u->nvals > 0;
  if (!*present) return info;
  TRY(grid_adder_bind(&a, op, any, u->type));
  if (any || u->iso) {
    grid_iter it = grid_begin(u);
    grid_next(&it);
    TRY(grid_adder_double(&a, it.v, any ? 1 : u->nvals, false));
    grid_adder_multiple(&a, z, any ? 1 : u->nvals);
    goto done;
  }
  if (pieces == 1) {
    sum_piece(&a, z, u, 0);
    goto done;
  }
  sums = grid_malloc(pieces, size);
  has = grid_calloc(pieces, sizeof *has);
  if (!sums || !has) TRY(grid_fail_memory(NULL, "partial sums", pieces, size + sizeof *has));
  sum_pieces(&a, u, terminal, pieces, sums, has);
  bool some = false;
  for (uint64_t p = 0; p < pieces; p++) {
    if (!has[p]) continue;
    grid_adder_join(&a, z, sums + p * size, some);
    some = true;
  }
done:
  grid_free(sums);
  grid_free(has);
  grid_adder_free(&a);
  return info;
}
