/* GrB_Vector_resize. Chunk boundaries move, so entries may change owners. */
#include <string.h>

#include "dist/object/burble.h"
#include "dist/vector/shm_view.h"

/* On one process entries keep their positions. */
static GrB_Info resize_single_process(GrB_Vector v, GrB_Index n) {
  GrB_Info info = grid_chunk_resize(&v->chunk, grid_chunk_length(n, grid_ctx.k));
  if ((info = grid_agree(&v->head, info)) != GrB_SUCCESS) return info;
  v->n = n;
  grid_chunk_free(&v->reusable);
  grid_chunk_init(&v->reusable, v->type, v->chunk.n);
  return info;
}

/* Fills t with the first `have` indices of a dense view. */
static GrB_Info copy_prefix(grid_chunk *t, const uint64_t *bits, const char *val, uint64_t have) {
  GrB_Info info = grid_chunk_reserve_dense(t, false);
  if (info != GrB_SUCCESS) return info;
  for (uint64_t w = 0; w < grid_words(t->n); w++)
    t->bits[w] = w < grid_words(have) ? bits[w] & grid_tail(have, w) : 0;
  t->nvals = grid_count_bits(t->bits, grid_words(t->n));
  t->format = GRID_BITMAP;
  memcpy(t->val, val, have * t->type->size);
  return grid_chunk_choose_format(t);
}

/* The same as a list, which needs no memory of t's length. */
static GrB_Info list_view(grid_chunk *t, const uint64_t *bits, const char *val, uint64_t have) {
  const size_t size = t->type->size;
  uint64_t n = 0;
  for (uint64_t w = 0; w < grid_words(have); w++)
    n += (uint64_t)__builtin_popcountll(bits[w] & grid_tail(have, w));
  GrB_Info info = grid_chunk_reserve_list(t, n, false);
  if (info != GrB_SUCCESS) return info;
  for (uint64_t w = 0; w < grid_words(have); w++)
    for (uint64_t left = bits[w] & grid_tail(have, w); left; left &= left - 1) {
      const uint64_t i = 64 * w + (uint64_t)__builtin_ctzll(left);
      t->idx[t->nvals] = i;
      memcpy((char *)t->val + t->nvals++ * size, val + i * size, size);
    }
  t->format = GRID_LIST;
  return GrB_SUCCESS;
}

/* Chunk boundaries move: each process copies its new chunk from the shared view. */
static GrB_Info resize_from_view(GrB_Vector v, GrB_Index n, const grid_chunk *whole, grid_chunk *t) {
  const uint64_t first = grid_chunk_first(n, grid_ctx.k);
  if (t->n == 0 || whole->nvals == 0 || first >= whole->n) return GrB_SUCCESS;
  const uint64_t have = whole->n - first < t->n ? whole->n - first : t->n;
  const bool is_short = have < t->n / GRID_LIST_SHARE; /* then a list is the right format, whatever the
                                                        * number of entries */
  return (is_short ? list_view : copy_prefix)(t, whole->bits + first / 64,
                                              (const char *)whole->val + first * v->type->size, have);
}

/* Chunk boundaries move, so entries may change owners. They are received in ascending order. */
static GrB_Info resize(GrB_Vector v, GrB_Index n) {
  GrB_Info info = grid_check_vector(v, "GrB_Vector_resize", "v");
  if (info == GrB_SUCCESS) info = grid_vector_check_new(&v, n, "GrB_Vector_resize");
  if (info != GrB_SUCCESS || n == v->n) return info;
  if (grid_ctx.P == 1 && (!v->chunk.device || grid_device_can_index(n, 1)))
    return resize_single_process(v, n);
  const uint64_t first = grid_chunk_first(v->n, grid_ctx.k), nvals = v->chunk.nvals;
  const size_t size = v->type->size;
  grid_routed_entries in = {0};
  grid_chunk t, whole;
  uint64_t where, retained = 0, *idx = NULL;
  char *val = NULL;
  grid_chunk_init(&t, v->type, grid_chunk_length(n, grid_ctx.k));
  if (grid_shm_view_vector(&whole, v)) {
    TRY(grid_agree(&v->head, resize_from_view(v, n, &whole, &t)));
    goto moved;
  }
  idx = grid_malloc(nvals, sizeof *idx);
  val = grid_malloc(nvals, size);
  if (!idx || !val) {
    info = grid_fail_memory(NULL, "entries of a resized vector", nvals, sizeof *idx + size);
  } else {
    info = grid_vec_tuples(idx, val, v->type, &v->chunk, first);
    while (info == GrB_SUCCESS && retained < nvals && idx[retained] < n) retained++;
  }
  info = grid_route(&in, retained, idx, val, 1, size, n, info);
  if (info == GrB_SUCCESS) info = grid_vec_build(&t, in.idx, in.val, v->type, 1, in.n, (grid_dup){0}, &where);
  TRY(grid_agree(&v->head, info));
moved:
  v->n = n;
  grid_chunk_swap(&v->chunk, &t);
  grid_chunk_free(&v->reusable);
  grid_chunk_init(&v->reusable, v->type, v->chunk.n);
done:
  grid_free(idx);
  grid_free(val);
  grid_routed_entries_free(&in);
  grid_chunk_free(&t);
  return info;
}

GrB_Info GrB_Vector_resize(GrB_Vector v, GrB_Index n) {
  return GRID_TRACE_CALL("GrB_Vector_resize", resize(v, n), v);
}
