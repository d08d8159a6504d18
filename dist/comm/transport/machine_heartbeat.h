/* Heartbeats between machines: the first process of each machine sends its counter to those of the next and
 * the previous machine, by UDP. MPI would need a second thread in its calls, and a lost process can block it.
 */
#ifndef GRID_MACHINE_HEARTBEAT_H
#define GRID_MACHINE_HEARTBEAT_H
#include <stdbool.h>
#include <stdint.h>

enum { GRID_MAX_NEIGHBORS = 2 };
typedef struct {
  int rank, job_rank; /* in the grid, and in MPI_COMM_WORLD */
  long pid;
  char host[64];
} grid_heartbeat_process;

/* leaders: address of an MPI_Comm with the first process of each machine; `own` is this one. Returns the
 * number of neighbors, and who they are. Without a socket there are neighbors that hear nothing and are
 * not heard. Collective. */
int grid_machine_heartbeat_open(const void *leaders, const grid_heartbeat_process *own,
                                grid_heartbeat_process *neighbor);
void grid_machine_heartbeat_close(void);
/* Sends the counter to all neighbors. Datagrams may be lost. */
void grid_machine_heartbeat_send(uint64_t ticks);
/* Takes one counter that has arrived, and the neighbour's number; false: there is none. */
bool grid_machine_heartbeat_receive(int *neighbor, uint64_t *ticks);
#endif
