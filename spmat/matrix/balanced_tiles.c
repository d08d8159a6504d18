/* Life cycle of balanced tiles; spmat/cuda/product/balanced_tiles.cu builds them. */
#include "spmat/matrix/balanced_tiles.h"

#include "spmat/device/device.h"
#include "spmat/matrix/column_panels.h"

grid_balanced_tiles *grid_balanced_tiles_new(void) {
  return grid_calloc(1, sizeof(grid_balanced_tiles));
}

void grid_balanced_tiles_drop(grid_balanced_tiles *s) {
  grid_device_free(s->row_start);
  grid_device_free(s->before);
  grid_device_free(s->vector);
  grid_device_free(s->end);
  grid_device_free(s->rank);
  grid_column_panels_free(s->column_panels);
  *s = (grid_balanced_tiles){0};
}

void grid_balanced_tiles_free(grid_balanced_tiles *s) {
  if (s) grid_balanced_tiles_drop(s);
  grid_free(s);
}

void grid_column_panels_free(grid_column_panels *p) {
  if (!p) return;
  grid_balanced_tiles_drop(&p->tiles);
  grid_device_free(p->first_tile);
  grid_device_free(p->block_start);
  grid_free(p);
}

uint64_t grid_balanced_tiles_bytes(const grid_balanced_tiles *s) {
  return s ? s->bytes : 0;
}
