/* Heartbeats between machines: the first process of each machine sends its counter to those of the next and
 * the previous machine, by UDP. MPI would need a second thread in its calls, and a lost process can block it.
 */
#ifndef GRID_MACHINE_HEARTBEAT_H
#define GRID_MACHINE_HEARTBEAT_H
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

enum { GRID_MAX_NEIGHBORS = 2, GRID_MAX_ADDRESSES = 8 };
typedef struct {
  int rank, job_rank; /* in the grid, and in MPI_COMM_WORLD */
  long pid;
  char host[64];
} grid_heartbeat_process;

typedef struct {
  grid_heartbeat_process process;
  struct in_addr address[GRID_MAX_ADDRESSES];
  int addresses;
  in_port_t port; /* 0: no socket */
  uint64_t key;   /* of datagrams to this process */
} grid_heartbeat_contact;

typedef struct {
  int socket; /* or -1 */
  int neighbors;
  grid_heartbeat_contact to[GRID_MAX_NEIGHBORS];
  uint64_t key[GRID_MAX_NEIGHBORS]; /* of what they send */
} grid_machine_heartbeat;

/* leaders: address of an MPI_Comm with the first process of each machine; `local` is this one. Returns the
 * number of neighbors, and who they are. Without a socket there are neighbors that hear nothing and are
 * not heard. Collective. */
int grid_machine_heartbeat_open(grid_machine_heartbeat *net, const void *leaders,
                                const grid_heartbeat_process *local, grid_heartbeat_process *neighbor);
/* A second close does nothing. */
void grid_machine_heartbeat_close(grid_machine_heartbeat *net);
/* Sends the counter to all neighbors. Datagrams may be lost. */
void grid_machine_heartbeat_send(const grid_machine_heartbeat *net, uint64_t ticks);
/* Takes one counter that has arrived, and the neighbour's number; false: there is none. */
bool grid_machine_heartbeat_receive(const grid_machine_heartbeat *net, int *neighbor, uint64_t *ticks);
#endif
