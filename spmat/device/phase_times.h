/* Where the time of building a matrix goes: with GRIDBLAS_TUNE=build_times=on each lap prints,
 * on stderr, the phase that it ends and its time. Costs a look at a flag otherwise. */
#ifndef GRID_PHASE_TIMES_H
#define GRID_PHASE_TIMES_H

/* Sets the process number that is printed; -1: there is only one process. */
void grid_lap_set_process(int k);
void grid_lap_start(void);
void grid_lap_record(const char *phase);

#endif
