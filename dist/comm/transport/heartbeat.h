/* Finds processes of this machine that no longer run: suspended, or killed without the launcher's notice. The
 * others would wait for their messages for ever. A thread of each process increments a counter in shared
 * memory and watches those of the others. Computing and waiting for files do not stop it. */
#ifndef GRID_HEARTBEAT_H
#define GRID_HEARTBEAT_H
#include <stdbool.h>

/* GRIDBLAS_TIMEOUT: seconds, 0 for never; without it 10. False: it is no such number. */
bool grid_heartbeat_read_timeout(unsigned *seconds);
/* Starts the thread. When another process of comm (address of an MPI_Comm, all on this machine) has not run
 * for so many seconds, the program ends with a message that names it. Nothing happens with one process, with
 * 0 seconds, or without shared memory. `rank`, `job_rank`: this process's numbers in the message, in the grid
 * and in MPI_COMM_WORLD. Collective. */
void grid_heartbeat_start(const void *comm, int rank, int job_rank, unsigned seconds);
/* Tells the others that this process leaves, and ends the thread. */
void grid_heartbeat_stop(void);
#endif
