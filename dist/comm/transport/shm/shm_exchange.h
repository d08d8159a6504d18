/* Long messages between processes that all run on one machine: through memory that they share, copied by all
 * threads of a process, who meet at the shm mailbox (shm_mailbox.h), or read where it lies. A message of MPI
 * is copied by one, in fragments that each wait for the other process. */
#ifndef GRID_SHM_EXCHANGE_H
#define GRID_SHM_EXCHANGE_H
#include "semiring/semiring.h"

/* Bytes of the largest vector that all processes may share (transport.h: shared_buffer), if shared memory
 * suffices: a part of the machine's memory. */
size_t grid_shm_most_bytes(void);
/* Areas that were taken so far; differences are the same on all processes. */
uint64_t grid_shm_rounds(void);

/* Opens the exchange at the first call. True if all `size` processes of comm (address of an MPI_Comm) are
 * on this machine, have a shm mailbox, and the memory suffices. Collective; the same answer everywhere. */
bool grid_shm_exchange_open(const void *comm, int size, int local_size);
/* As grid_transport.exchange_long over all processes: the local segment is empty, and `longest` is the
 * same everywhere. */
void grid_shm_exchange(const char *sendbuf, const size_t *sendbytes, const size_t *sendoff, char *recvbuf,
                       const size_t *recvbytes, const size_t *recvoff, size_t longest);
/* Gathers bytes[r] bytes of every process r at all + off[r]. */
void grid_shm_allgather(const char *mine, const size_t *bytes, const size_t *off, char *all);
/* As shared_buffer and barrier in transport.h. The memory grows with the vectors; comm as above. */
char *grid_shm_buffer(const void *comm, size_t bytes);
void grid_shm_barrier(void);
void grid_shm_exchange_close(void);
#endif
