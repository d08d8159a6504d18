/* vec_select.c: t = the entries of u that an index-unary operator says yes to. */
#include "spmat/cpu/vec.h"

typedef struct {
  grid_indexop op;
  GrB_Type z;
  uint64_t first;
} chooser;

/* A result larger than this cannot be cast to BOOL: only predefined types can. */
static bool chosen(const chooser *c, const void *x, uint64_t i) {
  uint64_t z;
  grid_indexop_one(&c->op, &z, x, c->first + i);
  return grid_is_true(c->z, &z);
}

static void select_list(grid_chunk *t, const grid_chunk *u, const chooser *c) {
  const size_t size = u->type->size;
  uint64_t n = 0;
  for (uint64_t k = 0; k < u->nvals; k++) {
    const char *x = (const char *)u->val + (u->iso ? 0 : k * size);
    if (!chosen(c, x, u->idx[k])) continue;
    t->idx[n] = u->idx[k];
    if (!u->iso) grid_value_copy((char *)t->val + n * size, x, size);
    n++;
  }
  t->nvals = n, t->format = GRID_LIST;
}

static void select_words(grid_chunk *t, const grid_chunk *u, const chooser *c) {
  const size_t size = u->type->size;
  const int64_t words = (int64_t)grid_words(u->n);
  uint64_t count = 0;
#pragma omp parallel for schedule(static) reduction(+ : count) num_threads(grid_word_threads((uint64_t)words))
  for (int64_t w = 0; w < words; w++) {
    const size_t at = 64 * (size_t)w;
    uint64_t r = 0;
    for (uint64_t s = u->format == GRID_FULL ? grid_tail(u->n, (uint64_t)w) : u->bits[w]; s; s &= s - 1) {
      uint64_t b = grid_low_bit(s);
      r |= (uint64_t)chosen(c, (const char *)u->val + (u->iso ? 0 : (at + b) * size), at + b) << b;
    }
    t->bits[w] = r;
    count += grid_popcount(r);
    if (r && !u->iso)
      grid_value_copy_bits((char *)t->val + at * size, (const char *)u->val + at * size, 1, r, size);
  }
  t->nvals = count, t->format = GRID_BITMAP;
}

GrB_Info grid_cpu_vec_select(grid_chunk *t, const grid_chunk *u, GrB_IndexUnaryOp op, const void *y,
                             uint64_t first) {
  GrB_Info info = GrB_SUCCESS;
  const chooser c = {grid_indexop_bind(op, u->type, y), op->z, first};
  if (u->nvals == 0) return GrB_SUCCESS;
  if (u->format == GRID_LIST)
    TRY(grid_chunk_reserve_list(t, u->nvals, u->iso));
  else
    TRY(grid_chunk_reserve_dense(t, u->iso));
  if (u->iso) memcpy(t->val, u->val, u->type->size);
  t->iso = u->iso;
  if (u->format == GRID_LIST)
    select_list(t, u, &c);
  else
    select_words(t, u, &c);
  TRY(grid_chunk_conform(t));
done:
  if (info != GrB_SUCCESS) grid_chunk_empty(t);
  return info;
}
