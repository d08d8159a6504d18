/* vec_reduce.c: the sum of a chunk's entries by an associative, commutative operator.
 *
 * 64 values at a time are added place by place to 64 partial sums, with the operator's loop, which the
 * compiler has vectorised; values that do not lie side by side are packed first. Each piece of a fixed length
 * has a sum of its own, and these are joined in their order: so the result, rounding included, is the same
 * whatever the number of threads. */
#include "spmat/cpu/vec.h"

#define LANES 64
/* Words of a piece. */
#define PIECE UINT64_C(1024)

/* One piece's sum. */
typedef struct {
  const grid_binary *op;
  GrB_Type type; /* the operator's */
  grid_copier cast;
  const void *terminal;
  bool any;
  char *sum; /* values added one by one */
  bool has_sum, has_lanes, done;
  uint64_t lanes[LANES]; /* room for LANES values of a predefined type */
  uint64_t pack[LANES];  /* values that wait to be added */
  size_t packed;
} adder;

static void add_one(adder *a, const void *x) {
  if (a->has_sum)
    grid_binary_one(a->op, a->sum, a->sum, x);
  else
    grid_copy_one(&a->cast, a->sum, x);
  a->has_sum = true;
  a->done = a->any || (a->terminal && memcmp(a->sum, a->terminal, a->type->size) == 0);
}

static void add_lanes(adder *a, const void *x, size_t step) {
  uint64_t own[LANES];
  if (!a->has_lanes) {
    grid_copy_run(&a->cast, a->lanes, x, step, LANES);
    a->has_lanes = true;
    return;
  }
  if (a->cast.cast) {
    grid_copy_run(&a->cast, own, x, step, LANES);
    x = own, step = 1;
  }
  a->op->op->loop(a->lanes, a->lanes, 1, x, step, LANES);
  for (size_t l = 0; a->terminal && l < LANES; l += 16) /* a few are looked at: a miss only costs time */
    a->done |= memcmp((char *)a->lanes + l * a->type->size, a->terminal, a->type->size) == 0;
}

/* The lanes join the sum. */
static void fold_lanes(adder *a) {
  if (!a->has_lanes) return;
  for (size_t h = LANES / 2; h > 0; h /= 2)
    /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): lanes are filled by the loop */
    a->op->op->loop(a->lanes, a->lanes, 1, (char *)a->lanes + h * a->type->size, 1, h);
  if (a->has_sum)
    a->op->op->loop(a->sum, a->sum, 1, a->lanes, 1, 1);
  else
    memcpy(a->sum, a->lanes, a->type->size);
  a->has_sum = true;
}

/* Values at x, of which bit b of `some` says whether value b counts. */
static void add_block(adder *a, const char *x, size_t step, size_t size, uint64_t some, bool lanes) {
  if (lanes && some == ~UINT64_C(0)) {
    add_lanes(a, x, step);
    return;
  }
  for (; some && !a->done; some &= some - 1) {
    const char *v = x + grid_low_bit(some) * step * size;
    if (!lanes) {
      add_one(a, v);
      continue;
    }
    grid_value_copy((char *)a->pack + a->packed * size, v, size);
    if (++a->packed < LANES) continue;
    add_lanes(a, a->pack, 1);
    a->packed = 0;
  }
}

static void add_range(adder *a, const grid_chunk *u, uint64_t w, uint64_t end) {
  const uint64_t n = u->format == GRID_LIST ? u->nvals : u->n; /* a list's values are packed */
  const size_t size = u->type->size, step = !u->iso;
  const bool lanes = a->op->op->loop && size <= sizeof(uint64_t) && !a->any;
  for (; w < end && !a->done; w++)
    add_block(a, (const char *)u->val + 64 * w * step * size, step, size,
              u->format == GRID_BITMAP ? u->bits[w] : grid_tail(n, w), lanes);
  for (size_t k = 0; k < a->packed; k++) add_one(a, (char *)a->pack + k * size);
  fold_lanes(a);
}

/* The sums of all pieces; has[p]: is there one? A terminal value in one of them is the result, so what has
 * not been begun is left out. */
static void piece_sums(const adder *first, const grid_chunk *u, uint64_t words, char *sums, bool *has) {
  const int64_t pieces = (int64_t)((words + PIECE - 1) / PIECE);
  bool done = false;
#pragma omp parallel for schedule(dynamic) num_threads(first->any ? 1 : grid_word_threads(words))
  for (int64_t p = 0; p < pieces; p++) {
    const uint64_t w = PIECE * (uint64_t)p;
    bool skip;
#pragma omp atomic read
    skip = done;
    if (skip) continue;
    adder a = *first;
    a.sum = sums + (size_t)p * a.type->size;
    add_range(&a, u, w, words - w < PIECE ? words : w + PIECE);
    has[p] = a.has_sum;
    if (!a.done) continue;
#pragma omp atomic write
    done = true;
  }
}

GrB_Info grid_cpu_vec_reduce(void *z, bool *present, const grid_chunk *u, GrB_BinaryOp op,
                             const void *terminal, bool any) {
  GrB_Info info = GrB_SUCCESS;
  const size_t size = op->z->size;
  const uint64_t words = grid_words(u->format == GRID_LIST ? u->nvals : u->n);
  const uint64_t pieces = (words + PIECE - 1) / PIECE;
  grid_binary bound = {0}, join = {0};
  char *sums = NULL;
  bool *has = NULL;
  *present = false;
  if (u->nvals == 0) return GrB_SUCCESS;
  TRY(grid_binary_bind(&bound, op, op->z, op->x, u->type));
  TRY(grid_binary_bind(&join, op, op->z, op->x, op->y));
  sums = grid_malloc(pieces, size);
  has = grid_calloc(pieces, sizeof *has);
  if (!sums || !has) TRY(grid_fail_memory(NULL, "partial sums", pieces, size + sizeof *has));
  const adder first = {.op = &bound,
                       .type = op->z,
                       .cast = grid_copier_bind(op->z, u->type),
                       .terminal = terminal,
                       .any = any};
  piece_sums(&first, u, words, sums, has);
  for (uint64_t p = 0; p < pieces; p++) {
    if (!has[p]) continue;
    if (*present)
      grid_binary_one(&join, z, z, sums + p * size);
    else
      memcpy(z, sums + p * size, size);
    *present = true;
  }
done:
  grid_free(sums);
  grid_free(has);
  grid_binary_free(&bound);
  grid_binary_free(&join);
  return info;
}
