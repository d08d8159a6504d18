/* Life cycle of 32-bit panels. */
#include "spmat/matrix/panels32.h"

#include "spmat/device/device.h"
#include "spmat/matrix/balanced_tiles.h"

grid_panels32 *grid_panels32_new(void) {
  return grid_calloc(1, sizeof(grid_panels32));
}

void grid_panels32_free(grid_panels32 *s) {
  if (!s) return;
  for (uint64_t k = 0; k < s->n; k++) grid_balanced_tiles_free(s->panel32[k].balanced_tiles);
  grid_free(s->panel32);
  grid_device_free(s->ptr);
  grid_free(s);
}

uint64_t grid_panels32_bytes(const grid_panels32 *s) {
  uint64_t bytes = s ? s->bytes : 0;
  for (uint64_t k = 0; s && k < s->n; k++) bytes += grid_balanced_tiles_bytes(s->panel32[k].balanced_tiles);
  return bytes;
}

grid_compressed grid_panel32_view(const grid_compressed *c, uint64_t k, size_t size) {
  const grid_panel32 *s = &c->panels32->panel32[k];
  return (grid_compressed){.ptr = s->ptr,
                           .idx = c->idx + s->at,
                           .val = c->val ? (char *)c->val + s->at * size : NULL,
                           .hub_neighbor = c->hub_neighbor ? c->hub_neighbor + s->first : NULL,
                           .nonempty = c->nonempty ? c->nonempty + s->first / 64 : NULL,
                           .balanced_tiles = s->balanced_tiles};
}
