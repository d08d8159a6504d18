/* While all threads run a pull, the calling thread polls something else, a device, between two of its shares.
 */
#ifndef GRID_OVERLAPPED_H
#define GRID_OVERLAPPED_H
#include <stdbool.h>
#include <stdint.h>

/* Do several threads run a pull of this many rows, so that it calls grid_job.poll? */
bool grid_pull_inspected(uint64_t rows);
#endif
