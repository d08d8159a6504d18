/* What lower rooms know of loops that run ahead (dist/grid/hooks.h): that they end, and a search's workspace
 * as a derived form of its matrix. */
#include "dist/ahead/ahead.h"
#include "spmat/device/times.h"

const grid_ahead_hooks grid_ahead_runs = {.materialize = grid_ahead_materialize,
                                          .peek = grid_ahead_peek,
                                          .nvals = grid_ahead_nvals,
                                          .release = grid_ahead_release};

/* A split matrix is not searched. */
static GrB_Info wait_for(GrB_Matrix A) {
  if (A->split) return GrB_SUCCESS;
  GrB_Info info = grid_agree(&A->head, grid_ahead_ready(A));
  grid_lap("workspace of searches");
  if (info == GrB_SUCCESS) info = grid_ahead_warm(A);
  grid_lap("first messages");
  return info;
}

static void storage(GrB_Matrix A, Grid_Storage *s) {
  int64_t threshold;
  const uint64_t d = A->split ? 0 : grid_ahead_delegates(A, &threshold);
  if (d) s->delegates = d, s->threshold = threshold;
}

const grid_derived_form grid_search_form = {.free = grid_ahead_drop, .wait = wait_for, .storage = storage};
