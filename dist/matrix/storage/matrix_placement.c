/* Moves of a block between the memories of the host and the device. */
#include "dist/matrix/matrix_require.h"
#include "dist/matrix/properties/cached_properties.h"
#include "dist/matrix/storage/matrix_host_resident.h"
#include "spmat/device/device.h"

GrB_Info grid_matrix_to_host(GrB_Matrix A) {
  GrB_Info info = grid_lmat_to_host(&A->block);
  if (info == GrB_SUCCESS) grid_matrix_drop_lines(A);
  return info == GrB_SUCCESS ? grid_cached_to_host(A) : info;
}

GrB_Info grid_matrix_to_device(GrB_Matrix A) {
  bool host_resident;
  GrB_Info info = grid_block_is_host_resident(A, &host_resident);
  if (info != GrB_SUCCESS || host_resident) return info;
  const uint64_t refusals = grid_device_oom_count();
  info = grid_device_oom_to_unsupported(grid_lmat_to_device(&A->block), refusals);
  if (info != GRID_UNSUPPORTED) return info;
  if (grid_device_oom_count() == refusals) {
    grid_report_fallback("a matrix block of 2^32 entries or more");
    return GrB_SUCCESS;
  }
  grid_report_fallback("a matrix block for which the device has no room");
  grid_block_make_host_resident(A);
  return GrB_SUCCESS;
}

/* Can the block move to the device now? A block without all forms has no values and no axis lists there; the
 * parts of a split move in their product. */
static bool can_move_to_device(GrB_Matrix A) {
  if (A->delegates.split || !grid_compressed_is_built(&A->block.by_row)) return false;
  return grid_matrix_has_device_forms(A) || (A->block.iso && !A->block.row.ids && !A->block.col.ids);
}

static GrB_Info move_to(GrB_Matrix A, bool device) {
  GrB_Info info = GrB_SUCCESS;
  if (device) {
    info = grid_cached_for_device(A);
    if (info == GrB_SUCCESS && can_move_to_device(A)) info = grid_matrix_to_device(A);
  } else {
    info = grid_matrix_to_host(A);
    if (info == GrB_SUCCESS) info = grid_degrees_to_host(A);
    grid_block_pages_free(A);
  }
  info = grid_agree(&A->head, info);
  if (info != GrB_SUCCESS) return info;
  A->placement.on_device = device;
  /* a delegate index needs no split, as the device does: decide again */
  A->delegates.decided = A->delegates.decided && grid_cached_valid(A);
  return info;
}

GrB_Info grid_matrix_follow_device(GrB_Matrix A) {
  return move_to(A, grid_device_is_on());
}

GrB_Info grid_matrix_leave_device(GrB_Matrix A) {
  const GrB_Info info = A->placement.on_device ? move_to(A, false) : GrB_SUCCESS;
  if (info == GrB_SUCCESS) grid_degrees_free_device(A);
  return info;
}
