/* A common start of all processes and their GPUs, for measurements. */
#include "dist/comm/peer_windows.h"
#include "dist/grid/process_grid.h"
#include "spmat/device/device.h"

GrB_Info Grid_synchronize(void) {
  GRID_CALL_SCOPE;
  GrB_Info initialized = grid_check_initialized("Grid_synchronize");
  if (initialized != GrB_SUCCESS) return initialized;
  GrB_Info info = grid_device_is_on() ? grid_device_wait() : GrB_SUCCESS;
  if (info == GrB_SUCCESS) info = grid_window_warm_up(true);
  return grid_agree(NULL, info);
}
