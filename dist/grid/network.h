/* network.h: what messages between the processes cost, measured when somebody first wants to know. */
#ifndef GRID_NETWORK_H
#define GRID_NETWORK_H
#include "dist/grid/grid.h"

typedef struct {
  double latency;   /* seconds of a collective call of all processes with nothing to say */
  double bandwidth; /* bytes a second that a process receives while all send to all */
  bool told;        /* the environment says both */
} grid_network;

/* The same on every process. GRIDBLAS_NETWORK=LATENCY,BANDWIDTH in the environment of process 0 says what to
 * take instead of measuring, which takes some milliseconds, once. Collective, agreed on. */
GrB_Info grid_network_cost(grid_network *n);
#endif
