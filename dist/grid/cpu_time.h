/* CPU time of this process's main thread outside of messages: excludes waiting and the time of other
 * programs. Measured from the first call on, by a transport that wraps the real one. */
#ifndef GRID_CPU_TIME_H
#define GRID_CPU_TIME_H
#include "dist/grid/process_grid.h"

/* Seconds up to the start of the last message. Local. */
double grid_cpu_time(void);
/* Discards the time since the last message. Local. */
void grid_cpu_time_restart(void);
/* Restores the real transport, at GrB_finalize. */
void grid_cpu_time_stop(void);
#endif
