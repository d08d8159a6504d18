/* Combines tuples with equal indices directly in dense arrays. Each thread owns a range of indices: it reads
 * all indices, and combines the tuples of its range in their order. An index that many tuples share needs no
 * atomic operation, and the result does not depend on the number of threads. */
#include "spmat/cpu/vector/vec_cpu.h"

enum { BLOCK = 1024 };

typedef struct {
  grid_chunk *t;
  const uint64_t *idx;
  const char *x;
  size_t step; /* bytes between values */
  uint64_t n;
  grid_copier start;   /* value -> sum */
  grid_binary combine; /* sum = dup(sum, value) */
} tuples;

/* The positions of the indices in [begin, begin + length). No branch on the data. */
static size_t select_range(uint32_t *at, const uint64_t *idx, size_t n, uint64_t begin, uint64_t length) {
  size_t m = 0;
  for (size_t k = 0; k < n; k++) {
    at[m] = (uint32_t)k;
    m += idx[k] - begin < length;
  }
  return m;
}

/* Combines the tuples at these positions; returns how many indices had no entry before. */
static uint64_t combine_block(const tuples *p, const uint64_t *idx, const char *x, const uint32_t *at,
                              size_t n) {
  const size_t size = p->t->type->size;
  const grid_binary *b = &p->combine;
  const grid_binary_fn f = b->cy || b->op->op == GRID_OP_USER ? NULL : b->op->f;
  uint64_t found = 0;
  for (size_t k = 0; k < n; k++) {
    const uint64_t i = idx[at[k]], bit = UINT64_C(1) << (i & 63);
    uint64_t *word = &p->t->bits[i >> 6];
    char *z = (char *)p->t->val + i * size;
    const char *value = x + at[k] * p->step;
    if (!(*word & bit)) {
      grid_copy_value(&p->start, z, value);
      *word |= bit;
      found++;
    } else if (f) {
      f(z, z, value);
    } else {
      grid_binary_apply(b, z, z, value);
    }
  }
  return found;
}

/* All tuples with indices in the 64-bit words [from, to). */
static uint64_t combine_words(const tuples *p, uint64_t from, uint64_t to) {
  uint32_t at[BLOCK];
  const size_t size = p->t->type->size;
  const uint64_t begin = 64 * from, end = 64 * to < p->t->n ? 64 * to : p->t->n;
  uint64_t found = 0;
  if (from == to) return 0;
  memset(p->t->bits + from, 0, (to - from) * sizeof *p->t->bits);
  memset((char *)p->t->val + begin * size, 0, (end - begin) * size); /* as list_to_bitmap (chunk_memory.c) */
  for (uint64_t k = 0; k < p->n; k += BLOCK) {
    const size_t n = p->n - k < BLOCK ? p->n - k : BLOCK;
    const size_t m = select_range(at, p->idx + k, n, begin, end - begin);
    found += combine_block(p, p->idx + k, p->x + k * p->step, at, m);
  }
  return found;
}

GrB_Info grid_cpu_vec_combine(grid_chunk *t, const uint64_t *idx, const void *x, GrB_Type xt, size_t xstep,
                              uint64_t n, GrB_BinaryOp dup, bool *stored) {
  GrB_Info info = GrB_SUCCESS;
  tuples p = {t, idx, x, xstep * xt->size, n, grid_copier_bind(dup->z, xt), {0}};
  const uint64_t words = grid_words(t->n);
  uint64_t found = 0;
  *stored = t->type == dup->z && t->n <= GRID_DENSE_LENGTH_MAX && n > t->n / GRID_LIST_SHARE;
  if (!*stored) return info;
  TRY(grid_binary_bind(&p.combine, dup, dup->z, dup->x, xt));
  TRY(grid_chunk_reserve_dense(t, false));
#pragma omp parallel num_threads(grid_work_threads(n / 8)) reduction(+ : found)
  {
    const uint64_t id = grid_thread(), all = grid_threads();
    found += combine_words(&p, words * id / all, words * (id + 1) / all);
  }
  t->format = GRID_BITMAP, t->nvals = found, t->iso = false;
  info = grid_chunk_choose_format(t);
done:
  grid_binary_free(&p.combine);
  return info;
}
