/* Start and end of the library. This folder may use all modules that register functions for lower ones
 * (dist/grid/hooks.h), and the backends, so they are registered here. */
#include "dist/library/library.h"

#include <string.h>

#include "dist/lookahead/lookahead.h"
#include "dist/delegates/delegate_index.h"
#include "dist/delegates/delegate_split.h"
#include "dist/extensions/arenas.h"
#include "dist/checkpoint/checkpoint.h"
#include "dist/object/device_retry.h"
#include "dist/matrix/storage/matrix_host_resident.h"
#include "dist/op/extensions/index_binary.h"
#include "dist/outofcore/file/memory_budget.h"
#include "dist/outofcore/operations/outofcore_run.h"
#include "dist/product/exchange/row_hubs.h"
#include "dist/product/exchange/update_set.h"
#include "dist/product/exchange/view_order.h"
#include "gridblas_gxb_objects.h"
#include "semiring/jit/jit_kernel.h"
#include "semiring/jit/jit_settings.h"
#include "semiring/support/mem_cache.h"
#include "semiring/support/tuning.h"
#include "semiring/support/user_memory.h"
#include "spmat/backend.h"
#include "spmat/matrix/panels32.h"

static void register_hooks(void) {
  grid_backend_register(&grid_backend_cpu, grid_backend_cuda);
  grid_hook_cached_property(&grid_split_form);
  grid_hook_cached_property(&grid_delegate_index_form);
  grid_hook_cached_property(&grid_row_hubs_form);
  grid_hook_cached_property(&grid_update_set_form);
  grid_hook_cached_property(&grid_view_order_form);
  grid_hook_cached_property(&grid_search_form);
  grid_set_lookahead_hooks(&grid_lookahead_hook_table);
  grid_hooks.describe_matrix = grid_matrix_describe;
  grid_hooks.evict = grid_matrices_evict;
  grid_hooks.matrix_size = grid_matrix_size;
  grid_hooks.merge_pages = grid_merge_pages;
  grid_hooks.find_context = grid_context_find;
  grid_hooks.index_binary = &grid_index_binary_call_table;
}

/* What all grids of a process share. */
static void start_process(void) {
  register_hooks();
  grid_semiring_init();
}

static void stop_process(void) {
  Grid_trace(NULL, NULL);
  grid_jit_cpu_kernels_free();
  grid_jit_settings_reset();
  grid_user_memory_reset();
  grid_arenas_reset();
  grid_semiring_finalize();
  grid_cache_drop();
}

/* What the environment says beyond grid_configure, for the default context only. */
static GrB_Info configure_process(void) {
  if (grid_ctx.k == 0) grid_environment_check();
  GrB_Info info = grid_burble_start();
  if (info == GrB_SUCCESS) info = grid_device_from_environment();
  if (info == GrB_SUCCESS) info = grid_agree(NULL, grid_budget_from_environment());
  grid_ctx.initialized = info == GrB_SUCCESS;
  return info;
}

GrB_Info Grid_init(int mode, const void *comm, int R, int C) {
  grid_contexts_start();
  GrB_Info info = grid_start(mode, comm, R, C);
  if (info != GrB_SUCCESS) return info;
  start_process();
  info = grid_configure();
  return info == GrB_SUCCESS ? configure_process() : info;
}

/* The modes for GPUs are the standard's: Grid_device_set chooses the device. */
GrB_Info GrB_init(GrB_Mode mode) {
  int standard = (int)mode;
  if (standard == GxB_BLOCKING_GPU) standard = GrB_BLOCKING;
  if (standard == GxB_NONBLOCKING_GPU) standard = GrB_NONBLOCKING;
  GrB_Info info = Grid_init(standard, NULL, 0, 0);
  const char *text = grid_last_error();
  if (info != GrB_SUCCESS && strncmp(text, "Grid_init:", 10) == 0)
    grid_fail(NULL, info, "GrB_init%s", text + 9);
  return info;
}

GrB_Info GrB_finalize(void) {
  if (grid_global.was_finalized) return GrB_SUCCESS; /* as SuiteSparse does */
  grid_contexts_end();
  GrB_Info info = grid_check_alive("GrB_finalize");
  if (info != GrB_SUCCESS) return info;
  const GrB_Info compared = grid_compare_end();
  info = grid_check_initialized("GrB_finalize");
  if (info != GrB_SUCCESS) return info;
  grid_checkpoint_close();
  grid_burble_stop();
  grid_close();
  stop_process();
  return compared;
}

GrB_Info GrB_getVersion(unsigned int *version, unsigned int *subversion) {
  if (!version || !subversion)
    return grid_fail(NULL, GrB_NULL_POINTER, "GrB_getVersion: an argument is NULL");
  *version = GRB_VERSION;
  *subversion = GRB_SUBVERSION;
  return GrB_SUCCESS;
}
