/* t = an operator on every entry of u. t has u's entries, in u's format. */
#include "spmat/cpu/vector/vec_cpu.h"

/* The empty t gets u's format and indices, and allocated values. */
static GrB_Info copy_pattern(grid_chunk *t, const grid_chunk *u, bool iso) {
  GrB_Info info = GrB_SUCCESS;
  if (u->format == GRID_LIST) {
    TRY(grid_chunk_reserve_list(t, u->nvals, iso));
    if (u->nvals) memcpy(t->idx, u->idx, u->nvals * sizeof *u->idx);
  } else if (u->format == GRID_BITMAP) {
    TRY(grid_chunk_reserve_dense(t, iso));
    memcpy(t->bits, u->bits, grid_words(u->n) * sizeof *u->bits);
  } else {
    TRY(grid_chunk_reserve_val(t, iso ? 1 : u->n));
  }
  t->format = u->format, t->nvals = u->nvals, t->iso = iso && u->nvals;
done:
  return info;
}

/* An operator as a loop: z[k] = op(x[k * step]), k < n, for the chunk's values from number `at` on. The same
 * over the bits of a word whose first one would be value number `at`. */
typedef struct {
  void (*run)(const void *op, void *z, const void *x, size_t step, uint64_t at, size_t n);
  void (*word)(const void *op, void *z, const void *x, size_t step, uint64_t at, uint64_t s);
  const void *op;
} value_loop;

/* Values k .. k + n - 1 of t, a list or full. */
static void run_values(grid_chunk *t, const grid_chunk *u, const value_loop *f, uint64_t k, uint64_t n) {
  const size_t step = !u->iso;
  f->run(f->op, (char *)t->val + k * t->type->size, (char *)u->val + k * step * u->type->size, step, k, n);
}

/* The values of word w of a bitmap. */
static void word_values(grid_chunk *t, const grid_chunk *u, const value_loop *f, uint64_t w) {
  const size_t at = 64 * w, step = !u->iso;
  if (u->bits[w])
    f->word(f->op, (char *)t->val + at * t->type->size, (char *)u->val + at * step * u->type->size, step, at,
            u->bits[w]);
}

/* The values of t. */
static void apply_values_full(grid_chunk *t, const grid_chunk *u, const value_loop *f) {
  const uint64_t n = u->nvals, block = 4096, words = grid_words(u->n);
  const bool bitmap = u->format == GRID_BITMAP;
  const int threads = bitmap ? grid_word_threads(words) : grid_value_threads(n);
  if (grid_is_serial(threads)) {
    for (uint64_t w = 0; w < words && bitmap; w++) word_values(t, u, f, w);
    if (!bitmap) run_values(t, u, f, 0, n);
  } else if (bitmap) {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (uint64_t w = 0; w < words; w++) word_values(t, u, f, w);
  } else {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (uint64_t k = 0; k < n; k += block) run_values(t, u, f, k, n - k < block ? n - k : block);
  }
}

/* The same for an operator that does not use the index: an iso u gives an iso t. */
static GrB_Info apply_values(grid_chunk *t, const grid_chunk *u, const value_loop *f) {
  GrB_Info info = GrB_SUCCESS;
  TRY(copy_pattern(t, u, u->iso));
  if (u->nvals == 0) {
    grid_chunk_empty(t);
  } else if (u->iso) {
    f->run(f->op, t->val, u->val, 0, 0, 1);
  } else {
    apply_values_full(t, u, f);
  }
done:
  return info;
}

/* ---- unary --------------------------------------------------------------------------------------------- */

static void run_unary(const void *op, void *z, const void *x, size_t step, uint64_t at, size_t n) {
  (void)at;
  grid_unary_run(op, z, x, step, n);
}

static void word_unary(const void *op, void *z, const void *x, size_t step, uint64_t at, uint64_t s) {
  (void)at;
  grid_unary_word(op, z, x, step, s);
}

GrB_Info grid_cpu_vec_apply(grid_chunk *t, const grid_chunk *u, GrB_UnaryOp op) {
  grid_unary bound = grid_unary_bind(op, u->type);
  return apply_values(t, u, &(value_loop){run_unary, word_unary, &bound});
}

/* ---- binary with a bound scalar ------------------------------------------------------------------------ */

typedef struct {
  grid_binary op;
  const void *bound_scalar;
} bound_value;

static void run_first(const void *op, void *z, const void *x, size_t step, uint64_t at, size_t n) {
  const bound_value *b = op;
  (void)at;
  grid_binary_run(&b->op, z, b->bound_scalar, 0, x, step, n);
}

static void word_first(const void *op, void *z, const void *x, size_t step, uint64_t at, uint64_t s) {
  const bound_value *b = op;
  (void)at;
  grid_binary_word(&b->op, z, b->bound_scalar, 0, x, step, s);
}

static void run_second(const void *op, void *z, const void *x, size_t step, uint64_t at, size_t n) {
  const bound_value *b = op;
  (void)at;
  grid_binary_run(&b->op, z, x, step, b->bound_scalar, 0, n);
}

static void word_second(const void *op, void *z, const void *x, size_t step, uint64_t at, uint64_t s) {
  const bound_value *b = op;
  (void)at;
  grid_binary_word(&b->op, z, x, step, b->bound_scalar, 0, s);
}

GrB_Info grid_cpu_vec_apply_first(grid_chunk *t, const void *x, const grid_chunk *u, GrB_BinaryOp op) {
  GrB_Info info = GrB_SUCCESS;
  bound_value b = {.bound_scalar = x};
  TRY(grid_binary_bind(&b.op, op, t->type, op->x, u->type));
  TRY(apply_values(t, u, &(value_loop){run_first, word_first, &b}));
done:
  grid_binary_free(&b.op);
  return info;
}

GrB_Info grid_cpu_vec_apply_second(grid_chunk *t, const grid_chunk *u, const void *y, GrB_BinaryOp op) {
  GrB_Info info = GrB_SUCCESS;
  bound_value b = {.bound_scalar = y};
  TRY(grid_binary_bind(&b.op, op, t->type, u->type, op->y));
  TRY(apply_values(t, u, &(value_loop){run_second, word_second, &b}));
done:
  grid_binary_free(&b.op);
  return info;
}

/* ---- with the index ------------------------------------------------------------------------------------ */

typedef struct {
  grid_indexop op;
  const uint64_t *idx; /* list: indices of the values, else NULL */
  uint64_t first;
} bound_index;

static void run_index(const void *op, void *z, const void *x, size_t step, uint64_t at, size_t n) {
  const bound_index *b = op;
  if (b->idx)
    grid_indexop_run(&b->op, z, x, step, b->first, b->idx + at, n);
  else
    grid_indexop_run(&b->op, z, x, step, b->first + at, NULL, n);
}

static void word_index(const void *op, void *z, const void *x, size_t step, uint64_t at, uint64_t s) {
  const bound_index *b = op;
  grid_indexop_word(&b->op, z, x, step, b->first + at, s);
}

GrB_Info grid_cpu_vec_apply_index(grid_chunk *t, const grid_chunk *u, GrB_IndexUnaryOp op, const void *y,
                                  uint64_t first) {
  GrB_Info info = GrB_SUCCESS;
  bound_index b = {.op = grid_indexop_bind(op, u->type, y), .first = first};
  if (u->format == GRID_LIST) b.idx = u->idx;
  TRY(copy_pattern(t, u, false));
  apply_values_full(t, u, &(value_loop){run_index, word_index, &b});
done:
  return info;
}
