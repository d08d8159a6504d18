/* The settings of any grid, after grid_start, and its end. */
#include "dist/library/library.h"

#include "dist/checkpoint/checkpoint.h"
#include "dist/comm/device_transport.h"
#include "dist/comm/transport/machines/transport_two_level.h"
#include "dist/grid/hooks.h"
#include "dist/matrix/matrix.h"
#include "dist/object/live_objects.h"
#include "dist/outofcore/pages/row_pages.h"
#include "dist/plan/network.h"
#include "dist/plan/tune_method.h"
#include "dist/vector/vector.h"

GrB_Info grid_configure(void) {
  grid_ctx.initialized = true;
  GrB_Info info = grid_compare_start();
  if (info == GrB_SUCCESS && grid_context_is_default()) info = grid_tune_method_start();
  if (info == GrB_SUCCESS) info = grid_agree(NULL, grid_two_level_measure());
  grid_ctx.initialized = info == GrB_SUCCESS;
  return info;
}

/* What the objects have on the device; they lose their entries, since they can only be freed from now on. */
static void free_on_device(void) {
  for (const grid_live_object *m = NULL; (m = grid_live_next(GRID_MATRICES, m));) grid_matrix_drop(m->object);
  for (const grid_live_object *m = NULL; (m = grid_live_next(GRID_VECTORS, m));) grid_vector_drop(m->object);
}

static void close_device(void) {
  grid_device_enter_thread();
  if (grid_device_is_open()) {
    (void)grid_lookahead->materialize(); /* ends the use of the objects */
    free_on_device();
  }
  grid_device_transport_close();
  grid_device_close();
}

void grid_close(void) {
  grid_checkpoint_close();
  close_device();
  grid_compare_stop();
  grid_ctx.initialized = false;
  grid_page_cache_close(); /* matrices that are freed later are in no list */
  grid_live_clear();
  grid_network_reset();
  grid_stop();
}
