/* How long this process has been in messages, what it waited in them included: what else passes is its own
 * work. Measured from the first question on, by a transport that stands before the real one. */
#ifndef GRID_WAITED_H
#define GRID_WAITED_H
#include "dist/grid/grid.h"

/* Seconds since the first call. Local. */
double grid_waited(void);
/* When the last message ended, on omp_get_wtime's clock; 0: there was none. */
double grid_waited_until(void);
/* The processes part. */
void grid_waited_stop(void);
#endif
