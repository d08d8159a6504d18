/* t = the entries of u for which an index-unary operator is true. */
#include "spmat/cpu/vector/vec_cpu.h"

/* ---- a bitmap or full chunk ---------------------------------------------------------------------------- */

/* Words from .. end - 1; returns the number of entries. */
static uint64_t select_words(grid_chunk *t, const grid_chunk *u, const grid_indexop *op, uint64_t first,
                             uint64_t from, uint64_t end) {
  const size_t size = u->type->size, step = !u->iso;
  const grid_copier copy = grid_copier_bind(u->type, u->type);
  uint64_t count = 0;
  for (uint64_t w = from; w < end; w++) {
    const uint64_t s = u->format == GRID_FULL ? grid_tail(u->n, w) : u->bits[w];
    const char *x = (const char *)u->val + 64 * w * size * step;
    const uint64_t r = t->bits[w] = grid_indexop_true(op, x, step, first + 64 * w, NULL, s);
    count += grid_popcount(r);
    if (step) grid_copy_word(&copy, (char *)t->val + 64 * w * size, x, 1, r);
  }
  return count;
}

static GrB_Info select_dense(grid_chunk *t, const grid_chunk *u, const grid_indexop *op, uint64_t first) {
  GrB_Info info = GrB_SUCCESS;
  const uint64_t words = grid_words(u->n);
  const int threads = grid_word_threads(words);
  uint64_t count = 0;
  TRY(grid_chunk_reserve_dense(t, u->iso));
  if (grid_is_serial(threads)) {
    count = select_words(t, u, op, first, 0, words);
  } else {
#pragma omp parallel reduction(+ : count) num_threads(threads)
    {
      const uint64_t id = grid_thread(), all = grid_threads();
      count += select_words(t, u, op, first, words * id / all, words * (id + 1) / all);
    }
  }
  t->format = GRID_BITMAP, t->nvals = count;
done:
  return info;
}

/* ---- a list -------------------------------------------------------------------------------------------- */

/* Which of the entries 64 w .. 64 w + 63 are selected? */
static uint64_t choose(const grid_chunk *u, const grid_indexop *op, uint64_t first, int64_t w) {
  const uint64_t at = 64 * (uint64_t)w, step = !u->iso;
  return grid_indexop_true(op, (const char *)u->val + at * u->type->size * step, step, first, u->idx + at,
                           grid_tail(u->nvals, (uint64_t)w));
}

/* 64 entries at a time: chosen[k] has bits for those from entry 64 k on. */
static GrB_Info select_list(grid_chunk *t, const grid_chunk *u, const grid_indexop *op, uint64_t first) {
  GrB_Info info = GrB_SUCCESS;
  const bool step = !u->iso;
  const int64_t words = (int64_t)grid_words(u->nvals);
  const int threads = grid_word_threads((uint64_t)words);
  const grid_copier copy = grid_copier_bind(u->type, u->type);
  uint64_t count = 0, *chosen = grid_malloc((size_t)words, sizeof *chosen);
  if (!chosen) return grid_fail_memory(NULL, "chosen entries", (uint64_t)words, sizeof *chosen);
  TRY(grid_chunk_reserve_list(t, u->nvals, u->iso));
  if (grid_is_serial(threads)) {
    for (int64_t w = 0; w < words; w++) chosen[w] = choose(u, op, first, w);
  } else {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t w = 0; w < words; w++) chosen[w] = choose(u, op, first, w);
  }
  for (int64_t w = 0; w < words; w++) count += grid_popcount(chosen[w]);
  const grid_copier index = grid_copier_bind(GrB_UINT64, GrB_UINT64);
  grid_pack_values(t->idx, &index, u->idx, 1, chosen, u->nvals, count);
  if (step) grid_pack_values(t->val, &copy, u->val, 1, chosen, u->nvals, count);
  t->format = GRID_LIST, t->nvals = count;
done:
  grid_free(chosen);
  return info;
}

GrB_Info grid_cpu_vec_select(grid_chunk *t, const grid_chunk *u, GrB_IndexUnaryOp op, const void *y,
                             uint64_t first) {
  GrB_Info info = GrB_SUCCESS;
  const grid_indexop bound = grid_indexop_bind(op, u->type, y);
  if (u->nvals == 0) return GrB_SUCCESS;
  TRY(u->format == GRID_LIST ? select_list(t, u, &bound, first) : select_dense(t, u, &bound, first));
  if (u->iso) memcpy(t->val, u->val, u->type->size);
  t->iso = u->iso;
  TRY(grid_chunk_choose_format(t));
done:
  if (info != GrB_SUCCESS) grid_chunk_empty(t);
  return info;
}
