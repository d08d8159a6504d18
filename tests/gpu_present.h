/* Is there a GPU? Checked before MPI starts, so that a skipped test ends at once. */
#ifndef GRID_GPU_PRESENT_H
#define GRID_GPU_PRESENT_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gridblas.h"
#include "spmat/backend.h"
#include "spmat/device/device.h"

/* Their number. */
static inline int have_gpus(void) {
  grid_device_facts f = {0};
  grid_backend_register(&grid_backend_cpu, grid_backend_cuda); /* as GrB_init does */
  GrB_Info info = grid_device_choose(true, 0, GRID_GPU_SHARED);
  if (info == GrB_SUCCESS) info = grid_device_describe(&f);
  if (info != GrB_SUCCESS) printf("skipped: %s\n", Grid_last_error());
  grid_device_close();
  return f.count;
}
static inline bool have_gpu(void) {
  return have_gpus() > 0;
}

/* Does the environment ask for a GPU where there is none? */
static inline bool lacks_gpu(void) {
  const char *device = getenv("GRIDBLAS_DEVICE");
  return device && strcmp(device, "cuda") == 0 && !have_gpu();
}
#endif
