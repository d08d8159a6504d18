/* The latency and bandwidth of messages between the processes, and the speed of a process, measured once for
 * a machine or cluster. */
#ifndef GRID_NETWORK_H
#define GRID_NETWORK_H
#include "dist/grid/process_grid.h"

/* *n: the same on every process, and unchanged until the library ends. GRIDBLAS_NETWORK=LATENCY,BANDWIDTH in
 * the environment of process 0 sets the first two. Else an earlier program on these hosts has stored all in
 * the cache folder (semiring/jit/kernel_cache.h). If not, or with GRIDBLAS_NETWORK=measure, it is measured
 * now, in some hundredths of a second. Collective, agreed on. */
GrB_Info grid_network_cost(Grid_Network *n);
/* GrB_INVALID_VALUE if text, of GRIDBLAS_NETWORK, is neither of these; NULL and "" are not set. Local. */
GrB_Info grid_network_check(const char *text);
/* Does GRIDBLAS_NETWORK of process 0 set latency and bandwidth? The same on every process. Collective. */
GrB_Info grid_network_is_configured(bool *configured);
void grid_network_reset(void);

/* Seconds, beyond the latency, of an exchange in which a process sends this many bytes in total; bytes that
 * are sent in this many seconds. */
double grid_network_seconds(const Grid_Network *n, double bytes);
double grid_network_bytes(const Grid_Network *n, double seconds);
#endif
