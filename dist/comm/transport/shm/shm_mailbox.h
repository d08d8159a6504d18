/* Short messages between processes of one machine through shared memory: each process writes its own slot,
 * passes a barrier of the set, and reads the others' slots. */
#ifndef GRID_SHM_MAILBOX_H
#define GRID_SHM_MAILBOX_H
#include "dist/comm/transport/transport.h"

/* Capacity of a slot; longer messages take another transport. */
enum { GRID_MAILBOX_BYTES = 4096 };

/* The mailbox of those processes of a set that run on this machine. */
#define GRID_HOST_MAILBOX(set) ((grid_mailbox)(GRID_NSETS + (int)(set)))
/* A grid_set, or GRID_HOST_MAILBOX of one. */
typedef unsigned grid_mailbox;

/* An shm mailbox for the processes that comm (address of an MPI_Comm) has, all on this machine, if there is
 * memory for it. Collective; all of comm get the same answer. */
bool grid_mailbox_open(grid_mailbox set, const void *comm);
bool grid_mailbox_is_open(grid_mailbox set);
/* Publishes `bytes` bytes, at most GRID_MAILBOX_BYTES, to the set and waits for the others': those of
 * process r are at grid_mailbox_of(set, r) until the next call. Collective; bytes may differ. */
void grid_mailbox_exchange(grid_mailbox set, const void *payload, size_t bytes);
const char *grid_mailbox_of(grid_mailbox set, int r);
/* The same with the payload of `root` alone, for which the others wait. No barrier: the root need not wait.
 */
void grid_mailbox_bcast(grid_mailbox set, const void *payload, size_t bytes, int root);
/* A number shared by all processes, initially 0. Any process may set or read it at any time, without a
 * barrier. Without a shm mailbox setting it has no effect. */
void grid_mailbox_set_number(uint64_t x);
uint64_t grid_mailbox_number(void);
/* Of one set; of all. */
void grid_mailbox_close_one(grid_mailbox set);
void grid_mailbox_close(void);
#endif
