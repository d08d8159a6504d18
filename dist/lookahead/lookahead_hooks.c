/* The hooks that lower modules call (dist/grid/hooks.h): those of a lookahead, and a search's workspace as
 * a cached property of its matrix. */
#include "dist/lookahead/lookahead.h"
#include "spmat/device/phase_times.h"

const grid_lookahead_hooks grid_lookahead_hook_table = {.materialize = grid_lookahead_materialize,
                                                        .peek = grid_lookahead_materialize_local,
                                                        .nvals = grid_lookahead_nvals,
                                                        .release = grid_lookahead_release_vector};

/* A split matrix is not searched by an engine. */
static GrB_Info allocate_search(GrB_Matrix A) {
  if (A->delegates.split) return GrB_SUCCESS;
  GrB_Info info = grid_agree(&A->head, grid_lookahead_prepare_engine(A));
  grid_lap_record("workspace of searches");
  if (info == GrB_SUCCESS) info = grid_lookahead_warm_up(A);
  grid_lap_record("first messages");
  return info;
}

static void free_search(GrB_Matrix A) {
  grid_lookahead_leave_matrix(A);
  grid_lookahead_free_engine(A);
}

static void add_storage(GrB_Matrix A, Grid_Storage *s) {
  int64_t threshold;
  s->bytes += grid_lookahead_bytes(A);
  const uint64_t d = A->delegates.split ? 0 : grid_lookahead_delegates(A, &threshold);
  if (d) s->delegates = d, s->threshold = threshold;
}

const grid_cached_property grid_search_form = {
    .free = free_search, .wait = allocate_search, .add_storage = add_storage};
