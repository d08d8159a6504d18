/* Progress of the present call (Grid_progress, gridblas.h). */
#ifndef GRID_PROGRESS_H
#define GRID_PROGRESS_H
#include <stdint.h>

/* `done` of `total` units are complete; total 0: the call has ended. No effect inside an algorithm that
 * reports its own progress (Grid_progress_set). */
void grid_progress(uint64_t done, uint64_t total);
/* The same for a function that only some callers report: no effect while no total is set. */
void grid_progress_step(uint64_t done);

/* The steps of building a matrix from tuples: sent, sorted, built. */
enum { GRID_TUPLES_SENT = 1, GRID_TUPLES_SORTED, GRID_TUPLES_STEPS };

#endif
