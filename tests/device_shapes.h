/* Setup and teardown of a group of tests on every grid shape (grid_shapes.h), with the device on. */
#ifndef GRID_DEVICE_SHAPES_H
#define GRID_DEVICE_SHAPES_H
#include <stdio.h>

#include "semiring/support/mem.h"
#include "tests/grid_shapes.h"
#include "spmat/device/device.h"

static inline int start_on_device(void **state) {
  if (start_on_shape(state)) return 1;
  if (Grid_device_set(Grid_CUDA) == GrB_SUCCESS) return 0;
  fprintf(stderr, "%s\n", Grid_last_error());
  return 1;
}

/* No allocation remains, neither on the device nor on the host. */
static inline int stop_on_device(void **state) {
  const int left = stop_on_shape(state);
  return left || grid_device_live() != 0 || grid_mem_live() != 0;
}
#endif
