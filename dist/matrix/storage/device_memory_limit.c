/* Blocks leave the device when its memory is limited or exhausted. */
#include "dist/comm/peer_windows.h"
#include "dist/matrix/properties/cached_properties.h"
#include "dist/matrix/storage/matrix_host_resident.h"
#include "spmat/device/device.h"

/* Moves blocks to the host until the limit is met; on several processes all blocks, if one process exceeds
 * it. Those that fit return when they are next used. */
static GrB_Info evict_blocks(void) {
  const bool is_single_process = grid_ctx.P == 1;
  uint64_t over = grid_device_bytes_in_use() > grid_device_get_limit();
  GrB_Info info = is_single_process ? GrB_SUCCESS : grid_agree_sum(NULL, GrB_SUCCESS, &over, 1);
  if (!over) return info;
  for (const grid_live_object *x = NULL; info == GrB_SUCCESS && (x = grid_live_next(GRID_MATRICES, x));) {
    GrB_Matrix A = x->object;
    if (A->delegates.split) continue;
    if (is_single_process && grid_device_bytes_in_use() <= grid_device_get_limit()) continue;
    /* of several processes, all free their part or none does: products choose messages by it */
    if (A->block.device || !is_single_process) grid_cached_free(A);
    if (!A->block.device) continue;
    info = grid_lmat_to_host(&A->block);
  }
  return info;
}

bool grid_matrices_evict(uint64_t refusals) {
  uint64_t refused = grid_device_oom_count() != refusals;
  GrB_Info info = GrB_SUCCESS;
  if (!grid_device_is_on()) return false;
  if (grid_ctx.P > 1) info = grid_agree_sum(NULL, info, &refused, 1);
  if (info != GrB_SUCCESS || !refused) return false; /* host memory was exhausted */
  for (const grid_live_object *x = NULL; info == GrB_SUCCESS && (x = grid_live_next(GRID_MATRICES, x));) {
    GrB_Matrix A = x->object;
    if (!A->delegates.split && (A->block.device || grid_ctx.P > 1)) grid_cached_free(A);
    if (!A->delegates.split && !A->block.device) continue;
    info = grid_matrix_to_host(A); /* with the parts of a split, which have entries */
  }
  grid_device_raise_pressure();
  grid_report_fallback("matrices that have made way for vectors on the device");
  if (grid_ctx.P > 1) info = grid_agree(NULL, info);
  return info == GrB_SUCCESS && grid_window_release_buffers() == GrB_SUCCESS;
}

GrB_Info Grid_device_memory_limit(uint64_t bytes) {
  GRID_CALL_SCOPE;
  GrB_Info info = grid_check_initialized("Grid_device_memory_limit");
  if (info != GrB_SUCCESS) return info;
  grid_device_set_limit(bytes);
  if (bytes) info = evict_blocks();
  if (grid_ctx.P > 1) info = grid_agree(NULL, info);
  grid_host_pages_retry();
  grid_device_set_limit(bytes); /* restarts the measurement of the peak */
  return info;
}
