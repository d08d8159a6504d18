/* Short messages between processes that all run on one machine, through memory that they share: each writes
 * what it has in its own place of an shm mailbox, and reads what the others have written. All processes of a
 * set meet there. */
#ifndef GRID_SHM_MAILBOX_H
#define GRID_SHM_MAILBOX_H
#include "dist/comm/transport/transport.h"

/* Bytes of a place: more does not go this way. */
enum { GRID_MAILBOX_BYTES = 4096 };

/* An shm mailbox for a set, whose processes comm (address of an MPI_Comm) has, if all of them are on this
 * machine and there is memory for it. local_size: how many processes are here. Collective; all of the set get
 * the same answer. */
bool grid_mailbox_open(grid_set set, const void *comm, int local_size);
bool grid_mailbox_is_open(grid_set set);
/* Shows `bytes`, GRID_MAILBOX_BYTES at most, to all others of the set, and waits until they have shown
 * theirs: that of process r stands at grid_mailbox_of(set, r) until the next barrier. Collective; bytes may
 * differ. */
void grid_mailbox_exchange(grid_set set, const void *mine, size_t bytes);
const char *grid_mailbox_of(grid_set set, int r);
/* A flag on the shm mailbox of all processes, not set at first. Any of them sets and sees it, at any time;
 * where there is no shm mailbox it stays as it is. */
void grid_mailbox_set_flag(bool flag);
bool grid_mailbox_flag_is_set(void);
void grid_mailbox_close(void);
#endif
