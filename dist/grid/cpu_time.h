/* How long this process has worked itself: the processor's time that its main thread had outside of messages,
 * so neither waiting counts nor what other programs take from it. Measured from the first question on, by a
 * transport that stands before the real one. */
#ifndef GRID_CPU_TIME_H
#define GRID_CPU_TIME_H
#include "dist/grid/process_grid.h"

/* Seconds until the last message began. Local. */
double grid_cpu_time(void);
/* What has been done since the last message does not count. Local. */
void grid_cpu_time_restart(void);
/* The processes part. */
void grid_cpu_time_stop(void);
#endif
