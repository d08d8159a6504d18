/* See vector_arrays.h: a vector from arrays of a program. */
#include "dist/extensions/pack/vector_arrays.h"

#include <string.h>

#include "dist/grid/layout.h"

#define ULL(x) ((unsigned long long)(x))

static GrB_Info check_array(const char *name, const void *array, uint64_t bytes, uint64_t n, size_t size,
                            const char *call) {
  uint64_t want;
  if (__builtin_mul_overflow(n, size, &want)) want = UINT64_MAX;
  if (bytes < want)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: array %s has %llu bytes; %llu are needed", call, name,
                     ULL(bytes), ULL(want));
  if (n && !array) return grid_fail(NULL, GrB_NULL_POINTER, "%s: array %s is NULL", call, name);
  return GrB_SUCCESS;
}

/* Indices lie in the n owned ones from `first` on, and ascend if that must be. */
static GrB_Info check_indices(const grid_packed *a, uint64_t first, uint64_t n, const char *call) {
  for (uint64_t k = 0; k < a->nvals; k++) {
    if (a->i[k] - first >= n)
      return grid_fail(NULL, GrB_INVALID_OBJECT,
                       "%s: i[%llu] is %llu; this process owns the indices from %llu up to, not including, "
                       "%llu",
                       call, ULL(k), ULL(a->i[k]), ULL(first), ULL(first + n));
    if (a->strict && a->sorted && k && a->i[k - 1] >= a->i[k])
      return grid_fail(
          NULL, GrB_INDEX_OUT_OF_BOUNDS,
          "%s: i[%llu] is %llu, not above the one before it, and the arrays are said to be sorted", call,
          ULL(k), ULL(a->i[k]));
  }
  return GrB_SUCCESS;
}

static GrB_Info from_list(grid_chunk *t, const grid_packed *a, uint64_t first, const char *call) {
  uint64_t where = 0, *idx = NULL;
  GrB_Info info;
  if (a->nvals > t->n)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: nvals is %llu, but this process owns %llu indices", call,
                     ULL(a->nvals), ULL(t->n));
  TRY(check_array("i", a->i, a->i_size, a->nvals, sizeof *a->i, call));
  TRY(check_array("x", a->x, a->x_size, a->iso && a->nvals ? 1 : a->nvals, t->type->size, call));
  TRY(check_indices(a, first, t->n, call));
  if (a->nvals == 0) return info;
  idx = grid_malloc(a->nvals, sizeof *idx);
  if (!idx) TRY(grid_fail_memory(NULL, "indices to pack", a->nvals, sizeof *idx));
  for (uint64_t k = 0; k < a->nvals; k++) idx[k] = a->i[k] - first;
  info = grid_vec_build(t, idx, a->x, t->type, a->iso ? 0 : 1, a->nvals, (grid_dup){0}, &where);
  if (info == GrB_INVALID_VALUE)
    info = grid_fail(NULL, GrB_INDEX_OUT_OF_BOUNDS, "%s: index %llu occurs more than once", call,
                     ULL(first + where));
done:
  grid_free(idx);
  return info;
}

static GrB_Info read_bits(grid_chunk *t, const grid_packed *a, const char *call) {
  uint64_t other = 0;
  t->nvals = 0;
  for (uint64_t w = 0; w < grid_words(t->n); w++) {
    uint64_t bits = 0;
    for (uint64_t k = 64 * w; k < t->n && k < 64 * w + 64; k++) {
      bits |= (uint64_t)(a->b[k] != 0) << (k & 63);
      other += a->b[k] != 0 && a->b[k] != 1;
    }
    t->bits[w] = bits;
    t->nvals += (uint64_t)__builtin_popcountll(bits);
  }
  if (a->strict && other)
    return grid_fail(NULL, GrB_INVALID_OBJECT, "%s: %llu elements of b are neither 0 nor 1", call,
                     ULL(other));
  if (a->strict && t->nvals != a->nvals)
    return grid_fail(NULL, GrB_INVALID_OBJECT, "%s: nvals is %llu, but b marks %llu entries", call,
                     ULL(a->nvals), ULL(t->nvals));
  return GrB_SUCCESS;
}

static GrB_Info from_positions(grid_chunk *t, const grid_packed *a, const char *call) {
  const size_t size = t->type->size;
  const bool full = a->form == GxB_FULL;
  GrB_Info info;
  if (!full) TRY(check_array("b", a->b, a->b_size, t->n, 1, call));
  TRY(check_array("x", a->x, a->x_size, a->iso && t->n ? 1 : t->n, size, call));
  if (t->n == 0) return info;
  TRY(full ? grid_chunk_reserve_val(t, a->iso ? 1 : t->n) : grid_chunk_reserve_dense(t, a->iso));
  t->iso = a->iso;
  t->nvals = t->n;
  t->format = full ? GRID_FULL : GRID_BITMAP;
  if (!full) TRY(read_bits(t, a, call));
  grid_copy_bytes(t->val, a->x, (a->iso ? 1 : t->n) * size);
  if (t->nvals == 0) grid_chunk_empty(t);
  info = grid_chunk_choose_format(t);
done:
  if (info != GrB_SUCCESS) grid_chunk_empty(t);
  return info;
}

GrB_Info grid_chunk_from_arrays(grid_chunk *t, const grid_packed *a, uint64_t first, const char *call) {
  return a->form == GxB_SPARSE ? from_list(t, a, first, call) : from_positions(t, a, call);
}

GrB_Info grid_vector_pack(GrB_Vector v, const grid_packed *a, const char *call) {
  grid_chunk t = grid_reusable_chunk(v, v->type);
  GrB_Info info = grid_chunk_from_arrays(&t, a, grid_chunk_first(v->n, grid_ctx.k), call);
  info = grid_agree(&v->head, info);
  if (info == GrB_SUCCESS) grid_chunk_swap(&v->chunk, &t);
  grid_chunk_free(&t);
  return info;
}
