/* See device_tuples.h. The values are packed on the device, by stretches of indices in no order. */
#include "spmat/vector/device_tuples.h"

#include "spmat/vector/backend.h"
#include "spmat/vector/bitmap_words.h"
#include "spmat/vector/pack.h"

enum { SHARE = 4, LEAST = 1 << 14 }; /* of so many indices at most one has an entry; of so many indices */

bool grid_has_packed_tuples(const grid_chunk *u) {
  return u->device && u->format == GRID_BITMAP && !u->iso && u->n >= LEAST && u->nvals <= u->n / SHARE;
}

/* What is copied, in host memory. */
typedef struct {
  uint64_t *bits;
  uint32_t *start;
  char *packed;
} packed_values;

/* Packs on the device, and copies start and packed. */
static GrB_Info fetch_values(packed_values *p, const grid_chunk *u, uint64_t stretches) {
  const size_t size = u->type->size;
  uint32_t *start = grid_device_malloc(stretches + 1, sizeof *start), *counter = start + stretches;
  char *packed = grid_device_malloc(u->nvals, size);
  GrB_Info info = start && packed ? GrB_SUCCESS : grid_device_fail_memory(NULL, "tuples", u->nvals, size);
  TRY(info);
  TRY(grid_device_zero(counter, sizeof *counter));
  TRY(grid_cuda->chunks->pack(packed, start, counter, u->bits, u->val, size, u->n));
  TRY(grid_device_get(p->start, start, stretches * sizeof *start));
  TRY(grid_device_get(p->packed, packed, u->nvals * size));
done:
  grid_device_free(start);
  grid_device_free(packed);
  return info;
}

/* x = the values in order. */
static void order_values(char *x, GrB_Type xt, const packed_values *p, const grid_chunk *u) {
  const grid_copier copy = grid_copier_bind(xt, u->type);
  const uint64_t words = grid_words(u->n), each = GRID_PACKED_STRETCH / 64;
  for (uint64_t w = 0, s = 0; w < words; w += each, s++) {
    uint64_t count = 0;
    for (uint64_t k = w; k < words && k < w + each; k++) count += (uint64_t)__builtin_popcountll(p->bits[k]);
    grid_copy_run(&copy, x, p->packed + (size_t)p->start[s] * u->type->size, 1, count);
    x += count * xt->size;
  }
}

GrB_Info grid_packed_tuples(uint64_t *idx, void *x, GrB_Type xt, const grid_chunk *u, uint64_t first) {
  const uint64_t words = grid_words(u->n), stretches = (u->n + GRID_PACKED_STRETCH - 1) / GRID_PACKED_STRETCH;
  packed_values p = {.bits = grid_malloc(words, sizeof *p.bits)};
  GrB_Info info = GrB_SUCCESS;
  if (x) p.start = grid_malloc(stretches, sizeof *p.start), p.packed = grid_malloc(u->nvals, u->type->size);
  if (!p.bits || (x && (!p.start || !p.packed)))
    TRY(grid_fail_memory(NULL, "tuples", u->nvals, u->type->size));
  TRY(grid_device_get(p.bits, u->bits, words * sizeof *p.bits));
  if (x) TRY(fetch_values(&p, u, stretches));
  if (idx) grid_pack_indices(idx, first, p.bits, u->n);
  if (x) order_values(x, xt, &p, u);
done:
  grid_free(p.bits);
  grid_free(p.start);
  grid_free(p.packed);
  return info;
}
