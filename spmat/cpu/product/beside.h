/* While all threads pull, the one that called looks after something else, a device, between two of its parts.
 */
#ifndef GRID_PULL_BESIDE_H
#define GRID_PULL_BESIDE_H
/* look(with) is called, again and again, during the next pull on the CPU, if that is done by several threads.
 */
void grid_pull_beside(void (*look)(void *with), void *with);
#endif
