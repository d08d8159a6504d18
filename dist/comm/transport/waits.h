/* Waits for other processes of this machine, which may need the core that waits, as other programs may. */
#ifndef GRID_WAITS_H
#define GRID_WAITS_H
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "dist/comm/mpi/mpi_calls.h"

/* In memory that processes share, initially 0: what those wait for who sleep. */
typedef struct {
  _Atomic uint32_t rings, sleepers;
} grid_bell;
/* To be called where something has come true that others may wait for, after a sequentially consistent fence.
 */
void grid_bell_ring(grid_bell *b);
static inline bool grid_bell_has_sleepers(const grid_bell *b) {
  return atomic_load(&b->sleepers) != 0;
}

/* One wait; {0} where it begins. */
typedef struct {
  uint64_t turns;
  double since;   /* seconds */
  bool sleeps;    /* is among the sleepers of the bell */
  uint32_t heard; /* its rings at the last turn */
} grid_wait;

/* How many processes of the job run on this machine: from then on waits give the core away if all their
 * threads are more than it has cores. */
void grid_wait_set_processes(int n);
/* A turn of a wait, before each look at what is waited for: nothing, a yield, or a sleep until the bell
 * rings, at most some milliseconds. Now and then MPI makes progress: another process may need a pending
 * message of this one before it comes to what is waited for. */
void grid_wait_turn(grid_wait *w, grid_bell *b, MPI_Comm comm);
void grid_wait_end(grid_wait *w, grid_bell *b);

/* MPI_Waitall. */
int grid_wait_for_requests(int n, MPI_Request *request);
/* MPI_Probe for a message of any process. */
int grid_wait_for_message(int tag, MPI_Comm comm, MPI_Status *status);
#endif
