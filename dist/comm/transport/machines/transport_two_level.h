/* The transport of several machines with several processes each: for each kind of call the cheaper of two
 * methods, by measured times. GRIDBLAS_TUNE=messages=flat or messages=two-level forces one. */
#ifndef GRID_TRANSPORT_TWO_LEVEL_H
#define GRID_TRANSPORT_TWO_LEVEL_H
#include "dist/comm/transport/transport.h"

/* As grid_transport_mpi; calls without a second method, or where it does not pay, are passed to it. */
extern const grid_transport grid_transport_two_level;

/* Groups the processes of each set by machine. False: no process can use a second method here; the same on
 * all processes. Collective, after grid_mpi_split. */
bool grid_two_level_open(void);
void grid_two_level_close(void);
/* Measures both methods, unless one is forced. Until then messages are flat. Collective. */
GrB_Info grid_two_level_measure(void);
/* Can messages of this set take two levels? */
bool grid_two_level_is_open(grid_set set);
/* If what a process of the set gives to all others takes two levels: the number of their machines, to each of
 * which it goes once. Else 0. The same on all processes of the set. */
int grid_two_level_machines(grid_set set);
#endif
