/* See rounds.h. */
#include "algos/support/rounds.h"

#include <math.h>

/* Each thread may run an iteration of its own; all repartition, or none does. */
static bool enabled;
static _Thread_local struct {
  Grid_Rebalancing now; /* of the current or the last iteration */
  uint64_t done;        /* the number of its rounds */
} rebalancing;

void Grid_rebalance_enable(bool on) {
  enabled = on;
}

void Grid_rebalance_stats(uint64_t *moves, double *seconds) {
  if (moves != NULL) *moves = rebalancing.now.moves;
  if (seconds != NULL) *seconds = rebalancing.now.seconds;
}

void grid_rebalance_begin(void) {
  rebalancing.now = (Grid_Rebalancing){.moves = 0};
  rebalancing.done = 0;
}

GrB_Info grid_rebalance_round(GrB_Matrix A, double to_come) {
  Grid_progress_set(rebalancing.done, rebalancing.done + (uint64_t)ceil(to_come));
  rebalancing.done++;
  return enabled ? Grid_Matrix_rebalance(&rebalancing.now, A, Grid_ROW_COSTS_PRODUCT, to_come) : GrB_SUCCESS;
}
