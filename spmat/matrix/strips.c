/* Strips' life; they are made in spmat/cuda/product/strips.cu. */
#include "spmat/matrix/strips.h"

#include <stdlib.h>
#include <string.h>

#include "spmat/device/device.h"

grid_strips_rule grid_strips_when = {.entries = 1 << 17,
                                     .pulls = 1,
                                     .share = 0.25,
                                     .allowed = 0.4,
                                     .ranked_entries = 1 << 24,
                                     .ranked_pulls = 3,
                                     .hubs = 0.3};

void grid_strips_setting(void) {
  static bool done;
  const char *text = done ? NULL : getenv("GRIDBLAS_STRIPS");
  const uint64_t never = UINT64_MAX;
  done = true;
  if (!text) return;
  grid_strips_when = (grid_strips_rule){.ranked_entries = never};
  if (strcmp(text, "ranked") == 0) grid_strips_when.ranked_entries = 0;
  if (strcmp(text, "off") == 0) grid_strips_when.entries = never;
}

grid_strips *grid_strips_new(void) {
  return grid_calloc(1, sizeof(grid_strips));
}

void grid_strips_drop(grid_strips *s) {
  grid_device_free(s->begins);
  grid_device_free(s->before);
  grid_device_free(s->vector);
  grid_device_free(s->end);
  grid_device_free(s->rank);
  *s = (grid_strips){0};
}

void grid_strips_free(grid_strips *s) {
  if (s) grid_strips_drop(s);
  grid_free(s);
}

uint64_t grid_strips_bytes(const grid_strips *s) {
  return s ? s->bytes : 0;
}
