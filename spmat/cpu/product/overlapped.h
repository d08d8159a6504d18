/* While all threads run a pull, the calling thread polls something else, a device, between two of its shares.
 */
#ifndef GRID_OVERLAPPED_H
#define GRID_OVERLAPPED_H
#include <stdbool.h>
#include <stdint.h>

/* poll(with) is called repeatedly during the next pull on the CPU, if several threads run it. */
void grid_pull_overlap(void (*poll)(void *with), void *with);
/* Do several threads run a pull of this many rows, so that it polls? */
bool grid_pull_inspected(uint64_t rows);
#endif
