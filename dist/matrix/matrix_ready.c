/* GRID_READY: what a product needs of a matrix that has rows, beginning with degrees and delegates. */
#include "dist/matrix/matrix_require.h"
#include "dist/matrix/properties/cached_properties.h"
#include "dist/matrix/storage/matrix_host_resident.h"
#include "spmat/device/device.h"
#include "spmat/device/phase_times.h"

GrB_Info grid_matrix_merge_split(GrB_Matrix A) {
  grid_tuples t = {0};
  GrB_Info info;
  bool symmetric = A->properties.symmetric;
  TRY(grid_agree(&A->head, grid_matrix_tuples(A, &t)));
  TRY(grid_matrix_fill(A,
                       &(grid_build){.row = t.row,
                                     .col = t.col,
                                     .val = t.val,
                                     .one = A->block.iso_val,
                                     .type = A->type,
                                     .n = t.n,
                                     .newest_wins = true},
                       "joining delegates"));
  A->properties.symmetric = symmetric;
done:
  grid_tuples_free(&t);
  return info;
}

/* Counts degrees, decides on delegates and splits. */
static GrB_Info prepare_product(GrB_Matrix A) {
  GrB_Info info;
  if (A->properties.ready || A->delegates.split) {
    /* a split whose forms could not be made is made again: some parts lack theirs */
    if (A->properties.ready && grid_cached_valid(A)) {
      A->delegates.decided = true;
      return grid_cached_update(A);
    }
    if ((info = grid_matrix_merge_split(A)) != GrB_SUCCESS) return info;
  }
  if ((info = grid_matrix_agree_iso(A)) != GrB_SUCCESS) return info;
  grid_lap_start();
  if (!grid_has_degrees(A, false) && (info = grid_degrees_count(A)) != GrB_SUCCESS) return info;
  grid_lap_record("sum degrees");
  TRY(grid_matrix_find_symmetric(A));
  grid_lap_record("find symmetric");
  if ((info = grid_cached_make(A)) != GrB_SUCCESS) return info;
  grid_lap_record("delegates");
  A->delegates.decided = true;
  /* hub neighbors are chosen by degrees of the whole matrix, which those of nn replace */
  if (A->delegates.split && (info = grid_matrix_add_forms(A, GRID_ALL_FORMS)) != GrB_SUCCESS) return info;
  if (A->delegates.split && (info = grid_degrees_count(A)) != GrB_SUCCESS) return info;
  const bool made = grid_compressed_is_built(&A->block.by_row);
  info = grid_degrees_mark(A, made ? GrB_SUCCESS : grid_matrix_empty_block(&A->block));
  if (info != GrB_SUCCESS && !made) grid_lmat_free(&A->block);
  grid_mem_reserve_cache(0);
  A->properties.ready = info == GrB_SUCCESS;
  grid_lap_record("mark rows with entries");
  return info == GrB_SUCCESS ? grid_cached_update(A) : info;
done:
  return info;
}

GrB_Info grid_matrix_make_ready(GrB_Matrix A) {
  GrB_Info info = grid_comm_buffers_make(&A->cached.buffers);
  if (info != GrB_SUCCESS) return info;
  if ((info = grid_blocks_agree_host_resident(A)) != GrB_SUCCESS) return info;
  if (A->placement.on_device != grid_device_is_on() && (info = grid_matrix_follow_device(A)) != GrB_SUCCESS)
    return info;
  if (!A->properties.ready || !A->delegates.decided) TRY(prepare_product(A));
  /* a block without the device's forms was built on the host or moved there */
  if (!grid_device_is_on()) return info;
  bool host_resident; /* then products make the forms that they need on the host */
  info = grid_block_is_host_resident(A, &host_resident);
  if (info != GrB_SUCCESS || host_resident || grid_matrix_has_device_forms(A)) return info;
  if (grid_matrix_makes_forms_late(A)) return info;
  TRY(grid_matrix_add_forms(A, grid_matrix_device_forms(A)));
  if (!A->delegates.split) TRY(grid_agree(&A->head, grid_matrix_to_device(A)));
done:
  return info;
}
