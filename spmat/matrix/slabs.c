/* Slabs' life. */
#include "spmat/matrix/slabs.h"

#include "spmat/device/device.h"
#include "spmat/matrix/strips.h"

uint64_t grid_slab_most = (UINT64_C(1) << 32) - 2;

grid_slabs *grid_slabs_new(void) {
  return grid_calloc(1, sizeof(grid_slabs));
}

void grid_slabs_free(grid_slabs *s) {
  if (!s) return;
  for (uint64_t k = 0; k < s->n; k++) grid_strips_free(s->slab[k].strips);
  grid_free(s->slab);
  grid_device_free(s->ptr);
  grid_free(s);
}

uint64_t grid_slabs_bytes(const grid_slabs *s) {
  uint64_t bytes = s ? s->bytes : 0;
  for (uint64_t k = 0; s && k < s->n; k++) bytes += grid_strips_bytes(s->slab[k].strips);
  return bytes;
}

grid_compressed grid_slab_view(const grid_compressed *c, uint64_t k, size_t size) {
  const grid_slab *s = &c->slabs->slab[k];
  return (grid_compressed){.ptr = s->ptr,
                           .idx = c->idx + s->at,
                           .val = c->val ? (char *)c->val + s->at * size : NULL,
                           .first = c->first ? c->first + s->first : NULL,
                           .nonempty = c->nonempty ? c->nonempty + s->first / 64 : NULL,
                           .strips = s->strips};
}
