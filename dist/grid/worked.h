/* How long this process has worked itself: the processor's time that its main thread had outside of messages,
 * so neither waiting counts nor what other programs take from it. Measured from the first question on, by a
 * transport that stands before the real one. */
#ifndef GRID_WORKED_H
#define GRID_WORKED_H
#include "dist/grid/grid.h"

/* Seconds until the last message began. Local. */
double grid_worked(void);
/* What has been done since the last message does not count. Local. */
void grid_worked_from_here(void);
/* The processes part. */
void grid_worked_stop(void);
#endif
