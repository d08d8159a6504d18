/* The windows of all processes (spmat/window.h), where NCCL is in use (a GPU for each process) and all are on
 * one machine whose GPUs see each other. GRIDBLAS_PEER=off: there are none. */
#ifndef GRID_DIST_WINDOW_H
#define GRID_DIST_WINDOW_H
#include "dist/grid/transport.h"
#include "spmat/window.h"

/* Finds out whether there can be any. Collective, agreed on; where NCCL has been opened
 * (dist/grid/device_transport.c). */
GrB_Info grid_window_open(void);
/* Every process's, as this GPU sees them; NULL: there are none. The same answer everywhere. */
void *const *grid_window_all(void);
/* Where mail lies: GRID_MAIL_BLOCKS flags for each set of processes and half (boxes and flags are used by
 * turns) and sender, and as many boxes for each set that is not one process or all. The flags are 0 in a new
 * window. */
uint32_t *grid_window_flags(int process, grid_set set, int half, int sender);
char *grid_window_box(int process, grid_set set, int half, int sender);
/* They become at least so large: the same number everywhere. Collective where they were not, and then all 0.
 * GRID_NOT_HERE: there is no memory, and from now on there are none. Nothing on any GPU may be using them. */
GrB_Info grid_window_grow(uint64_t bytes);
/* Their links will soon be used. Local; nothing where there are none. */
GrB_Info grid_window_wake(void);
void grid_window_close(void);
#endif
