/* Where the time of building a matrix goes: with GRIDBLAS_TIMES=1 in the environment each lap prints, on
 * stderr, the phase that it ends and its time. Costs a look at a flag otherwise. */
#ifndef GRID_TIMES_H
#define GRID_TIMES_H

void grid_lap_start(void);
void grid_lap(const char *phase);

#endif
