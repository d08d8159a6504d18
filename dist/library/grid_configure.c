/* The settings of any grid, after grid_start, and its end. */
#include "dist/library/library.h"

#include "dist/checkpoint/checkpoint.h"
#include "dist/comm/transport/machines/transport_two_level.h"
#include "dist/object/live_objects.h"
#include "dist/plan/network.h"
#include "dist/plan/tune_method.h"

GrB_Info grid_configure(void) {
  grid_ctx.initialized = true;
  GrB_Info info = grid_compare_start();
  if (info == GrB_SUCCESS && grid_context_is_default()) info = grid_tune_method_start();
  if (info == GrB_SUCCESS) info = grid_agree(NULL, grid_two_level_measure());
  grid_ctx.initialized = info == GrB_SUCCESS;
  return info;
}

void grid_close(void) {
  grid_checkpoint_close();
  grid_compare_stop();
  grid_ctx.initialized = false;
  grid_live_clear();
  grid_network_reset();
  grid_stop();
}
