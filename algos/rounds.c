/* rounds.c: see rounds.h. */
#include "algos/rounds.h"

#include <math.h>

static struct {
  bool on;
  Grid_Balancing now; /* of the iteration that goes on, or went on last */
  uint64_t done;      /* its rounds */
} rounds;

void Grid_rebalance_rounds(bool on) {
  rounds.on = on;
}

void Grid_rebalanced(uint64_t *moves, double *seconds) {
  if (moves != NULL) *moves = rounds.now.moves;
  if (seconds != NULL) *seconds = rounds.now.seconds;
}

void grid_rounds_begin(void) {
  rounds.now = (Grid_Balancing){.moves = 0};
  rounds.done = 0;
}

GrB_Info grid_rounds_next(GrB_Matrix A, double to_come) {
  Grid_progress_set(rounds.done, rounds.done + (uint64_t)ceil(to_come));
  rounds.done++;
  return rounds.on ? Grid_Matrix_rebalance(&rounds.now, A, Grid_ROWS_OF_PRODUCTS, to_come) : GrB_SUCCESS;
}
