/* Strips' life; they are made in spmat/cuda/product/balanced_tiles.cu. */
#include "spmat/matrix/balanced_tiles.h"

#include <stdlib.h>
#include <string.h>

#include "spmat/device/device.h"

grid_balanced_tiles_rule grid_balanced_tiles_limits = {.entries = 1 << 17,
                                                       .pulls = 1,
                                                       .share = 0.25,
                                                       .allowed = 0.4,
                                                       .degree_order_entries = 1 << 24,
                                                       .degree_order_pulls = 3,
                                                       .hubs = 0.3};

void grid_balanced_tiles_read_environment(void) {
  static bool done;
  const char *text = done ? NULL : getenv("GRIDBLAS_BALANCED_TILES");
  const uint64_t never = UINT64_MAX;
  done = true;
  if (!text) return;
  grid_balanced_tiles_limits = (grid_balanced_tiles_rule){.degree_order_entries = never};
  if (strcmp(text, "degree") == 0) grid_balanced_tiles_limits.degree_order_entries = 0;
  if (strcmp(text, "off") == 0) grid_balanced_tiles_limits.entries = never;
}

grid_balanced_tiles *grid_balanced_tiles_new(void) {
  return grid_calloc(1, sizeof(grid_balanced_tiles));
}

void grid_balanced_tiles_drop(grid_balanced_tiles *s) {
  grid_device_free(s->row_start);
  grid_device_free(s->before);
  grid_device_free(s->vector);
  grid_device_free(s->end);
  grid_device_free(s->rank);
  *s = (grid_balanced_tiles){0};
}

void grid_balanced_tiles_free(grid_balanced_tiles *s) {
  if (s) grid_balanced_tiles_drop(s);
  grid_free(s);
}

uint64_t grid_balanced_tiles_bytes(const grid_balanced_tiles *s) {
  return s ? s->bytes : 0;
}
