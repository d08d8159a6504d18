/* While all threads pull, the one that called looks after something else, a device, between two of its parts.
 */
#ifndef GRID_OVERLAPPED_H
#define GRID_OVERLAPPED_H
#include <stdbool.h>
#include <stdint.h>

/* look(with) is called, again and again, during the next pull on the CPU, if that is done by several threads.
 */
void grid_pull_overlap(void (*poll)(void *with), void *with);
/* Are so many rows pulled by several threads, if there are any? */
bool grid_pull_inspected(uint64_t rows);
#endif
