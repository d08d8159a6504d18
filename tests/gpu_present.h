/* Is there a GPU? Checked before MPI starts, so that a skipped test ends at once. */
#ifndef GRID_GPU_PRESENT_H
#define GRID_GPU_PRESENT_H
#include <stdio.h>

#include "gridblas.h"
#include "spmat/backend.h"
#include "spmat/device/device.h"

static inline bool have_gpu(void) {
  grid_backend_register(&grid_backend_cpu, grid_backend_cuda); /* as GrB_init does */
  GrB_Info info = grid_device_choose(true, 0, true);
  if (info != GrB_SUCCESS) printf("skipped: %s\n", Grid_last_error());
  grid_device_close();
  return info == GrB_SUCCESS;
}
#endif
