/* shown.c: see shown.h. */
#include "dist/object/shown.h"

#include <string.h>

#include "spmat/device/device.h"
#include "spmat/vector/bound.h"

static void write_own(const grid_chunk *x, uint64_t *bits, char *val, size_t size) {
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

void grid_show_bits(const grid_chunk *x, uint64_t *bits) {
  write_own(x, bits, NULL, 0);
}

bool grid_show_room(grid_shown *z, uint64_t all, size_t size, bool full) {
  const grid_transport *by = grid_here.transport;
  if (!by->room || all > UINT32_MAX || size > UINT32_MAX / 2) return false; /* sizes do not overflow */
  char *room = by->room((full ? 0 : grid_words(all) * 8) + all * size);
  if (!room) return false;
  *z = (grid_shown){full ? NULL : (uint64_t *)(void *)room, room + (full ? 0 : grid_words(all) * 8)};
  return true;
}

void grid_show_write(const grid_shown *z, const grid_chunk *x, uint64_t place, size_t size) {
  write_own(x, z->bits ? z->bits + place / 64 : NULL, z->val + place * size, size);
}

bool grid_show_chunk(grid_shown *z, const grid_chunk *x, uint64_t place, uint64_t all, size_t size,
                     bool full) {
  if (!grid_show_room(z, all, size, full)) return false;
  grid_show_write(z, x, place, size);
  grid_here.transport->meet();
  return true;
}

bool grid_show_vector(grid_chunk *whole, GrB_Vector v) {
  grid_shown z;
  if (grid_here.P == 1 || grid_device_on() || v->n > GRID_LIST_ONLY) return false;
  if (grid_device_opened() && grid_agree(&v->head, grid_chunk_to_host(&v->chunk)) != GrB_SUCCESS)
    return false;
  if (!grid_show_chunk(&z, &v->chunk, grid_chunk_first(v->n, grid_here.k), v->n, v->type->size, false))
    return false;
  grid_chunk_init(whole, v->type, v->n);
  whole->nvals = grid_count_bits(z.bits, grid_words(v->n));
  if (whole->nvals == 0) return true;
  whole->format = whole->nvals == v->n ? GRID_FULL : GRID_BITMAP;
  whole->bits = z.bits;
  whole->val = z.val;
  return true;
}
