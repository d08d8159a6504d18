/* See shm_view.h. */
#include "dist/vector/shm_view.h"

#include <string.h>

#include "spmat/device/device.h"
#include "spmat/vector/bound_operator.h"

static void write_local(const grid_chunk *x, uint64_t *bits, char *val, size_t size) {
  const bool list = x->format == GRID_LIST;
  for (uint64_t w = 0; w < grid_words(x->n) && bits; w++)
    bits[w] = list ? 0 : x->format == GRID_BITMAP ? x->bits[w] : grid_tail(x->n, w);
  for (uint64_t k = 0; k < x->nvals && list; k++) {
    if (bits) bits[x->idx[k] >> 6] |= UINT64_C(1) << (x->idx[k] & 63);
    if (size) memcpy(val + x->idx[k] * size, (const char *)x->val + (x->iso ? 0 : k) * size, size);
  }
  if (!size || list || x->nvals == 0) return;
  if (x->iso)
    grid_value_fill(val, x->val, size, x->n);
  else
    memcpy(val, x->val, x->n * size);
}

void grid_chunk_write_bits(const grid_chunk *x, uint64_t *bits) {
  write_local(x, bits, NULL, 0);
}

bool grid_shm_view_reserve(grid_shm_view *z, grid_set set, uint64_t all, size_t size, bool full) {
  const grid_transport *by = grid_ctx.transport;
  if (!by->shared_buffer || all > UINT32_MAX || size > UINT32_MAX / 2)
    return false; /* so that sizes do not overflow */
  char *buffer = by->shared_buffer(set, (full ? 0 : grid_words(all) * 8) + all * size);
  if (!buffer) return false;
  *z = (grid_shm_view){full ? NULL : (uint64_t *)(void *)buffer, buffer + (full ? 0 : grid_words(all) * 8)};
  return true;
}

void grid_shm_view_write(const grid_shm_view *z, const grid_chunk *x, uint64_t offset, size_t size) {
  write_local(x, z->bits ? z->bits + offset / 64 : NULL, z->val + offset * size, size);
}

bool grid_shm_view_vector(grid_chunk *whole, GrB_Vector v) {
  grid_shm_view z;
  if (grid_ctx.P == 1 || grid_device_is_on() || v->n > GRID_DENSE_LENGTH_MAX) return false;
  if (grid_device_is_open() && grid_agree(&v->head, grid_chunk_to_host(&v->chunk)) != GrB_SUCCESS)
    return false;
  if (!grid_shm_view_reserve(&z, GRID_SET_ALL, v->n, v->type->size, false)) return false;
  grid_shm_view_write(&z, &v->chunk, grid_chunk_first(v->n, grid_ctx.k), v->type->size);
  grid_ctx.transport->barrier(GRID_SET_ALL);
  grid_chunk_init(whole, v->type, v->n);
  whole->nvals = grid_count_bits(z.bits, grid_words(v->n));
  if (whole->nvals == 0) return true;
  whole->format = whole->nvals == v->n ? GRID_FULL : GRID_BITMAP;
  whole->bits = z.bits;
  whole->val = z.val;
  return true;
}
