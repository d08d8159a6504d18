/* Long messages between the processes of a set that all run on one machine. They go through shared memory,
 * copied by all threads of a process or read in place. The processes meet at the shm mailbox (shm_mailbox.h).
 * A message of MPI is copied by one, in fragments that each wait for the other process. */
#ifndef GRID_SHM_EXCHANGE_H
#define GRID_SHM_EXCHANGE_H
#include "dist/comm/transport/transport.h"

/* Bytes of the largest vector that the processes of a set may share (transport.h: shared_buffer), if shared
 * memory suffices: a part of the machine's memory. */
size_t grid_shm_most_bytes(void);
/* Areas of the set that were taken so far; differences are the same on all its processes. */
uint64_t grid_shm_rounds(grid_set set);

/* Opens the set's exchange at the first call. True if all its processes, those of comm (address of an
 * MPI_Comm), have a shm mailbox, so are on this machine, and the memory suffices. Collective over the set;
 * the same answer on all its processes. */
bool grid_shm_exchange_open(grid_set set, const void *comm);
/* As grid_transport.exchange_long: the local segment is empty, and `longest` is the same everywhere. */
void grid_shm_exchange(grid_set set, const char *sendbuf, const size_t *sendbytes, const size_t *sendoff,
                       char *recvbuf, const size_t *recvbytes, const size_t *recvoff, size_t longest);
/* Gathers bytes[r] bytes of every process r at all + off[r]. */
void grid_shm_allgather(grid_set set, const char *local, const size_t *bytes, const size_t *off, char *all);
/* As shared_buffer and barrier in transport.h. The memory grows with the vectors; comm as above. */
char *grid_shm_buffer(grid_set set, const void *comm, size_t bytes);
void grid_shm_barrier(grid_set set);
void grid_shm_exchange_close(void);
#endif
