/* See chunk_memory.h. */
#include "spmat/vector/chunk_memory.h"

#include <string.h>

#include "spmat/vector/backend.h"
#include "spmat/vector/bound_operator.h"
#include "spmat/vector/pack.h"

void grid_chunk_init(grid_chunk *c, GrB_Type type, uint64_t n) {
  *c = (grid_chunk){.n = n, .type = type, .format = GRID_LIST};
}

void grid_chunk_free(grid_chunk *c) {
  void (*give_back)(void *) = c->device ? grid_device_free : grid_free;
  give_back(c->idx);
  give_back(c->bits);
  give_back(c->val);
  grid_chunk_init(c, c->type, c->n);
}

void grid_chunk_swap(grid_chunk *a, grid_chunk *b) {
  grid_chunk t = *a;
  *a = *b, *b = t;
}

/* ---- counts -------------------------------------------------------------------------------------------- */

static GrB_Info resolve_count(grid_chunk *c) {
  uint64_t n = 0;
  bool known = false;
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_cuda->chunks->wait_count(c->ticket, &n, &known));
  if (!known) TRY(grid_cuda->chunks->combine(NULL, c->bits, NULL, GRID_AND, c->n, &n));
  c->nvals = n, c->ticket = 0;
  if (n == 0) grid_chunk_empty(c);
  if (n == c->n) c->format = GRID_FULL;
done:
  return info;
}

GrB_Info grid_chunk_wait(const grid_chunk *c) {
  if (c->nvals != GRID_UNCOUNTED) return GrB_SUCCESS;
  return resolve_count((grid_chunk *)(uintptr_t)c);
}

/* ---- host memory --------------------------------------------------------------------------------------- */

/* Replaces *p by a block of `count` elements with undefined contents, unless it is large enough. */
static GrB_Info grow(void **p, uint64_t *cap, uint64_t count, uint64_t size, const char *what) {
  if (*p && *cap >= count) return GrB_SUCCESS;
  void *q = grid_malloc(count, size);
  if (!q) return grid_fail_memory(NULL, what, count, size);
  grid_free(*p);
  *p = q, *cap = count;
  return GrB_SUCCESS;
}

GrB_Info grid_chunk_host_val(grid_chunk *c, uint64_t count) {
  const size_t size = c->type->size;
  if (c->val && c->cap_val / size >= count) return GrB_SUCCESS;
  void *q = grid_malloc(count, size);
  if (!q) return grid_fail_memory(NULL, "vector values", count, size);
  grid_free(c->val);
  c->val = q, c->cap_val = count * size;
  return GrB_SUCCESS;
}

GrB_Info grid_chunk_host_list(grid_chunk *c, uint64_t nvals, bool iso) {
  GrB_Info info = grow((void **)&c->idx, &c->cap_idx, nvals, sizeof(uint64_t), "vector indices");
  return info == GrB_SUCCESS ? grid_chunk_host_val(c, iso ? 1 : nvals) : info;
}

GrB_Info grid_chunk_host_dense(grid_chunk *c, bool iso) {
  GrB_Info info = grow((void **)&c->bits, &c->cap_bits, grid_words(c->n), sizeof(uint64_t), "vector bitmap");
  return info == GrB_SUCCESS ? grid_chunk_host_val(c, iso ? 1 : c->n) : info;
}

/* ---- formats on the host ------------------------------------------------------------------------------- */

/* Packs the values of a bitmap: into a new array by all threads, or in place if that is cheaper or memory is
 * short. */
static void pack_values(grid_chunk *c) {
  const size_t size = c->type->size;
  const uint64_t words = grid_words(c->n);
  char *val = grid_bit_threads(words, c->nvals) > 1 ? grid_malloc(c->nvals, size) : NULL;
  uint64_t k = 0;
  if (val) {
    const grid_copier copy = grid_copier_bind(c->type, c->type);
    grid_pack_values(val, &copy, c->val, 1, c->bits, c->n, c->nvals);
    grid_free(c->val);
    c->val = val, c->cap_val = c->nvals * size;
    return;
  }
  for (uint64_t w = 0; w < words; w++)
    for (uint64_t s = c->bits[w]; s; s &= s - 1, k++) {
      const uint64_t i = 64 * w + grid_low_bit(s);
      if (i != k) grid_value_copy((char *)c->val + k * size, (char *)c->val + i * size, size);
    }
}

GrB_Info grid_chunk_host_to_list(grid_chunk *c) {
  GrB_Info info = GrB_SUCCESS;
  if (c->format == GRID_LIST) return info;
  TRY(grow((void **)&c->idx, &c->cap_idx, c->nvals, sizeof(uint64_t), "vector indices"));
  if (c->format == GRID_FULL) {
    for (uint64_t k = 0; k < c->n; k++) c->idx[k] = k;
  } else {
    grid_pack_indices(c->idx, 0, c->bits, c->n, c->nvals);
    if (!c->iso) pack_values(c);
  }
  c->format = GRID_LIST;
done:
  return info;
}

/* Loops also compute with values of absent entries (bound_operator.h). Old pointers and integers, read as
 * floating-point values, are denormal, for which some processors take a hundred cycles. A short vector is
 * therefore cleared, which is cheap. */
enum { SMALL_PACK = 1 << 16 };

static GrB_Info list_to_bitmap(grid_chunk *c) {
  GrB_Info info = GrB_SUCCESS;
  const size_t size = c->type->size;
  char *val = NULL;
  TRY(grow((void **)&c->bits, &c->cap_bits, grid_words(c->n), sizeof(uint64_t), "vector bitmap"));
  if (!c->iso && (!c->val || c->cap_val / size < c->n)) {
    val = grid_malloc(c->n, size);
    if (!val) return grid_fail_memory(NULL, "vector values", c->n, size);
    if (c->n <= SMALL_PACK) memset(val, 0, c->n * size);
  }
  memset(c->bits, 0, grid_words(c->n) * sizeof(uint64_t));
  for (uint64_t k = c->nvals; k-- > 0;) { /* from the end: in place, an entry only moves up */
    uint64_t i = c->idx[k];
    c->bits[i >> 6] |= UINT64_C(1) << (i & 63);
    if (c->iso || (!val && i == k)) continue;
    grid_value_copy((val ? val : (char *)c->val) + i * size, (char *)c->val + k * size, size);
  }
  if (val) {
    grid_free(c->val);
    c->val = val, c->cap_val = c->n * size;
  }
  c->format = GRID_BITMAP;
done:
  return info;
}

GrB_Info grid_chunk_host_to_bitmap(grid_chunk *c) {
  GrB_Info info = GrB_SUCCESS;
  if (c->format == GRID_BITMAP) return info;
  if (c->n > GRID_DENSE_LENGTH_MAX)
    return grid_fail_memory(NULL, "vector bitmap", grid_words(c->n), sizeof(uint64_t));
  if (c->format == GRID_LIST) return list_to_bitmap(c);
  TRY(grow((void **)&c->bits, &c->cap_bits, grid_words(c->n), sizeof(uint64_t), "vector bitmap"));
  for (uint64_t w = 0; w < grid_words(c->n); w++) c->bits[w] = grid_tail(c->n, w);
  c->format = GRID_BITMAP;
done:
  return info;
}

GrB_Info grid_chunk_host_choose_format(grid_chunk *c) {
  if (grid_chunk_is_short_list(c, c->nvals)) {
    if (c->nvals) return grid_chunk_host_to_list(c);
    grid_chunk_empty(c);
    return GrB_SUCCESS;
  }
  if (c->nvals == c->n) { /* a complete list is packed like a full chunk */
    c->format = GRID_FULL;
    return GrB_SUCCESS;
  }
  return grid_chunk_host_to_bitmap(c);
}
