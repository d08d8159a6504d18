/* Cuts that move between the rounds of an iteration (Grid_rebalance_enable). Nothing happens unless the
 * program has asked for it. */
#ifndef GRID_ROUNDS_H
#define GRID_ROUNDS_H
#include "algos/algos.h"

/* An iteration begins. */
void grid_rebalance_begin(void);
/* Before each round with A, of which about so many are to come. Collective. */
GrB_Info grid_rebalance_round(GrB_Matrix A, double to_come);
#endif
