/* What messages between the processes cost, and how fast a process is, measured once a machine or
 * cluster. */
#ifndef GRID_NETWORK_H
#define GRID_NETWORK_H
#include "dist/grid/process_grid.h"

/* The same on every process: GRIDBLAS_NETWORK=LATENCY,BANDWIDTH in the environment of process 0 says the
 * first two; else what an earlier program on these hosts has left in the cache folder
 * (semiring/jit/kernel_cache.h), or, with GRIDBLAS_NETWORK=measure or for the first time, what is measured
 * now, in some hundredths of a second. Kept until the library ends. Collective, agreed on. */
GrB_Info grid_network_cost(Grid_Network *n);
/* GrB_INVALID_VALUE if text, of GRIDBLAS_NETWORK, is neither of these; NULL and "" are not set. Local. */
GrB_Info grid_network_check(const char *text);
/* Does GRIDBLAS_NETWORK of process 0 say what it costs? The same on every process. Collective. */
GrB_Info grid_network_is_configured(bool *configured);
void grid_network_reset(void);

/* Beyond the latency: what an exchange takes in which a process gives the others so many bytes in all, and
 * how many pass in so many seconds. */
double grid_network_seconds(const Grid_Network *n, double bytes);
double grid_network_bytes(const Grid_Network *n, double seconds);
#endif
