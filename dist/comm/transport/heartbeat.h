/* Finds processes that no longer run: suspended, killed without the launcher's notice, or on a machine that
 * cannot be reached. The others would wait for their messages for ever. A thread of each process increments a
 * counter in shared memory and watches those of its machine, and of the first processes of two other machines
 * (machine_heartbeat.h). Computing and waiting for files do not stop it. */
#ifndef GRID_HEARTBEAT_H
#define GRID_HEARTBEAT_H
#include <stdbool.h>

/* GRIDBLAS_TIMEOUT: seconds, 0 for never; without it 10. False: it is no such number. */
bool grid_heartbeat_read_timeout(unsigned *seconds);
/* A watch over the processes of one grid. A process may have several, of grids that exist at the same time:
 * they share one thread. */
typedef struct grid_heartbeat grid_heartbeat;
/* Starts a watch. When a watched process has not run for so many seconds, the program ends with a message
 * that names it. machine, leaders: addresses of an MPI_Comm, of the processes of this machine and of the
 * first one of each machine (there only). NULL, and nothing happens, with one process, with 0 seconds, or
 * without shared memory. `rank`, `job_rank`: this process's numbers in the message, in the grid and in
 * MPI_COMM_WORLD. Collective. */
grid_heartbeat *grid_heartbeat_start(const void *machine, const void *leaders, int rank, int job_rank,
                                     unsigned seconds);
/* Tells the others that this process leaves, and ends the watch; NULL is allowed. The last one ends the
 * thread. Starts and stops of one process do not overlap. */
void grid_heartbeat_stop(grid_heartbeat *w);
#endif
