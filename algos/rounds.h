/* Cuts that move between the rounds of an iteration (Grid_rebalance_rounds). Nothing happens unless the
 * program has asked for it. */
#ifndef ALGOS_ROUNDS_H
#define ALGOS_ROUNDS_H
#include "algos/algos.h"

/* An iteration begins. */
void grid_rounds_begin(void);
/* Before each round with A, of which about so many are to come. Collective. */
GrB_Info grid_rounds_next(GrB_Matrix A, double to_come);
#endif
