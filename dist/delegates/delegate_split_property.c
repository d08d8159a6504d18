/* The split as a cached property of its matrix (dist/grid/hooks.h). */
#include "dist/delegates/delegate_split.h"
#include "spmat/device/device.h"

static void free_split(GrB_Matrix A) {
  grid_split_free(A->delegates.split);
  A->delegates.split = NULL;
}

static GrB_Info to_host(GrB_Matrix A) {
  return A->delegates.split ? grid_split_to_host(A->delegates.split) : GrB_SUCCESS;
}

/* A split that has left nd and dn in the block is undone (grid_is_split_current). */
static GrB_Info for_device(GrB_Matrix A) {
  return A->delegates.split && !A->delegates.split->whole ? grid_split_unpack(A) : GrB_SUCCESS;
}

/* Moves the split to the device. If memory is short, products report it. */
static GrB_Info stage_split(GrB_Matrix A) {
  const uint64_t refusals = grid_device_oom_count();
  const GrB_Info info = grid_device_oom_to_unsupported(grid_split_to_device(A), refusals);
  return info == GRID_UNSUPPORTED ? GrB_SUCCESS : info;
}

static GrB_Info prepare_device_split(GrB_Matrix A) {
  return A->delegates.split && !A->properties.offsets64 ? grid_agree(&A->head, stage_split(A)) : GrB_SUCCESS;
}

static uint64_t nvals(GrB_Matrix A) {
  return A->delegates.split ? grid_split_nvals(A->delegates.split) : 0;
}

static void tuples(GrB_Matrix A, grid_tuples *t) {
  if (A->delegates.split) grid_split_tuples(A, t);
}

static const void *find(GrB_Matrix A, GrB_Index i, GrB_Index j) {
  return A->delegates.split ? grid_split_local(A, i, j) : NULL;
}

static void add_storage(GrB_Matrix A, Grid_Storage *s) {
  if (A->delegates.split) grid_split_storage(A->delegates.split, s);
}

const grid_cached_property grid_split_form = {.make = grid_split_make,
                                              .is_current = grid_is_split_current,
                                              .free = free_split,
                                              .to_host = to_host,
                                              .for_device = for_device,
                                              .wait = prepare_device_split,
                                              .nvals = nvals,
                                              .tuples = tuples,
                                              .find = find,
                                              .add_storage = add_storage};
