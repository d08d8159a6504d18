/* network.h: what messages between the processes cost, as far as it was told. */
#ifndef GRID_NETWORK_H
#define GRID_NETWORK_H
#include "dist/grid/grid.h"

typedef struct {
  double latency;   /* seconds of a collective call of all processes with nothing to say */
  double bandwidth; /* bytes a second that a process receives while all send to all */
} grid_network;

/* *told: GRIDBLAS_NETWORK=LATENCY,BANDWIDTH in the environment of process 0 says it; then *n is that, the
 * same on every process. Collective. */
GrB_Info grid_network_told(grid_network *n, bool *told);
#endif
