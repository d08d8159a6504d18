/* Repartitioning between the rounds of an iteration (Grid_rebalance_enable). Nothing is done unless the
 * program has enabled it. */
#ifndef GRID_ROUNDS_H
#define GRID_ROUNDS_H
#include "algos/algos.h"

/* Begins an iteration. */
void grid_rebalance_begin(void);
/* Call before each round with A; to_come: the expected number of further rounds. Collective. */
GrB_Info grid_rebalance_round(GrB_Matrix A, double to_come);
#endif
