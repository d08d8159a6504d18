/* How far the call that is under way has come (Grid_progress, gridblas.h). */
#ifndef GRID_PROGRESS_H
#define GRID_PROGRESS_H
#include <stdint.h>

/* Part `done` of `total` of a call; total 0: it has ended. Within an algorithm, which counts itself
 * (Grid_progress_set), it does nothing. */
void grid_progress(uint64_t done, uint64_t total);
/* The same in a function that only some of its callers count: nothing where no total is set. */
void grid_progress_step(uint64_t done);

/* The steps of building a matrix from tuples: sent to their processes, sorted, made into a block. */
enum { GRID_TUPLES_SENT = 1, GRID_TUPLES_SORTED, GRID_TUPLES_STEPS };

#endif
