/* Where the time of building a matrix goes: with GRIDBLAS_TUNE=build_times=on each lap prints,
 * on stderr, the phase that it ends and its time. Costs a look at a flag otherwise. */
#ifndef GRID_PHASE_TIMES_H
#define GRID_PHASE_TIMES_H

/* This process's number among several, which its laps are then printed with; -1: it is alone. */
void grid_lap_set_process(int k);
void grid_lap_start(void);
void grid_lap_record(const char *phase);

#endif
