/* Long messages between processes that all run on one machine: through memory that they share, copied by all
 * threads of a process, who meet at the shm mailbox (shm_mailbox.h), or read where it lies. A message of MPI
 * is copied by one, in fragments that each wait for the other process. */
#ifndef GRID_SHM_EXCHANGE_H
#define GRID_SHM_EXCHANGE_H
#include "semiring/semiring.h"

/* Bytes that one vector may have which all share (see transport.h: room). */
enum { GRID_SHM_MAX_BYTES = 8 << 20 };
/* Areas that were taken so far; differences are the same on all processes. */
extern uint64_t grid_shm_rounds;

/* Are all `size` processes of comm (address of an MPI_Comm) here, do they have an shm mailbox, and is there
 * memory for this? The first call makes it. Collective; all get the same answer. */
bool grid_shm_exchange_open(const void *comm, int size, int local_size);
/* Like a transport's exchange between all of them, the own segment being empty; no segment has more than
 * `longest` bytes, which all processes know. */
void grid_shm_exchange(const char *sendbuf, const size_t *sendbytes, const size_t *sendoff, char *recvbuf,
                       const size_t *recvbytes, const size_t *recvoff, size_t longest);
/* What each has, bytes[r] of process r, goes to all + off[r] of all. */
void grid_shm_allgather(const char *mine, const size_t *bytes, const size_t *off, char *all);
/* See transport.h: room, meet. */
char *grid_shm_buffer(size_t bytes);
void grid_shm_barrier(void);
void grid_shm_exchange_close(void);
#endif
