/* Changes the length of a chunk in its memory. */
#include <string.h>

#include "spmat/vector/backend.h"
#include "spmat/vector/bound_operator.h"

static void truncate_chunk(grid_chunk *c, uint64_t n) {
  c->n = n;
  if (c->format == GRID_LIST) {
    c->nvals = grid_lower_bound(c->idx, 0, c->nvals, n);
  } else if (c->format == GRID_FULL) {
    c->nvals = n;
  } else {
    const uint64_t words = grid_words(n);
    if (words) c->bits[words - 1] &= grid_tail(n, words - 1);
    c->nvals = grid_count_bits(c->bits, words);
  }
  if (c->nvals == 0) grid_chunk_empty(c);
}

/* A larger array with the same beginning. */
static GrB_Info extend(void **p, uint64_t *cap, uint64_t count, size_t size, const char *what) {
  if (*cap >= count) return GrB_SUCCESS;
  void *q = grid_realloc(*p, count, size);
  if (!q) return grid_fail_memory(NULL, what, count, size);
  *p = q, *cap = count;
  return GrB_SUCCESS;
}

/* Resizes a bitmap, or a full chunk that becomes one; n is longer. */
static GrB_Info resize_dense(grid_chunk *c, uint64_t n) {
  const size_t size = c->type->size;
  const uint64_t before = grid_words(c->n), words = grid_words(n);
  GrB_Info info = GrB_SUCCESS;
  /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): no type is of size 0 */
  uint64_t values = c->cap_val / size;
  TRY(grid_chunk_to_bitmap(c));
  TRY(extend((void **)&c->bits, &c->cap_bits, words, sizeof *c->bits, "vector bitmap"));
  if (!c->iso) {
    TRY(extend(&c->val, &values, n, size, "vector values"));
    if (values * size > c->cap_val) c->cap_val = values * size;
  }
  for (uint64_t w = before; w < words; w++) c->bits[w] = 0;
  c->n = n;
done:
  return info;
}

/* On the device a chunk is a bitmap or full, or empty. */
static GrB_Info resize_on_device(grid_chunk *c, uint64_t n) {
  const uint64_t words = grid_words(n), have = c->n < n ? c->n : n;
  GrB_Info info = GrB_SUCCESS;
  grid_chunk d;
  grid_chunk_init(&d, c->type, n);
  TRY(grid_chunk_wait(c));
  if (c->nvals) {
    const uint64_t *old = c->format == GRID_BITMAP ? c->bits : NULL;
    const uint64_t values = c->iso ? 1 : have;
    d.device = true;
    TRY(grid_chunk_reserve_device(&d, true, c->iso));
    TRY(grid_device_zero(d.bits, words * sizeof *d.bits));
    TRY(grid_cuda->chunks->combine(d.bits, old, NULL, GRID_AND, have, &d.nvals));
    TRY(grid_device_copy(d.val, c->val, values * c->type->size));
    memcpy(d.host_value, c->host_value, sizeof d.host_value);
    d.format = GRID_BITMAP, d.iso = c->iso;
    if (d.nvals == 0) grid_chunk_empty(&d);
    TRY(grid_chunk_choose_format(&d));
  }
  grid_chunk_swap(c, &d);
done:
  grid_chunk_free(&d);
  return info;
}

GrB_Info grid_chunk_resize(grid_chunk *c, uint64_t n) {
  GrB_Info info = GrB_SUCCESS;
  if (c->device) return resize_on_device(c, n);
  if (n <= c->n) {
    truncate_chunk(c, n);
    if (grid_chunk_choose_format(c) !=
        GrB_SUCCESS) { /* else, without memory for a better format, it stays as it is */
    }
    return info;
  }
  const bool list = c->format == GRID_LIST || n > GRID_DENSE_LENGTH_MAX || c->nvals <= n / GRID_LIST_SHARE;
  if (!list) return resize_dense(c, n);
  if (c->nvals) TRY(grid_chunk_to_list(c));
  c->n = n;
done:
  return info;
}
