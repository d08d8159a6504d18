/* The processes of a set, grouped by machine, and what the two-level exchange (two_level.h) needs of each
 * group: communicators, shared memory, buffers. */
#ifndef GRID_MACHINE_GROUPS_H
#define GRID_MACHINE_GROUPS_H

#include "dist/comm/mpi/mpi_calls.h"
#include "dist/comm/transport/shm/shm_windows.h"

/* Limits of the exchange: a segment's head (transport.h), and the header of a message between machines. */
enum {
  GRID_MAX_HEAD = 256,
  GRID_MAX_MACHINE_HEADER = 1 << 15,
  GRID_BLOCK_BYTES = 1 << 20, /* all headers that arrive; they fit a window */
  GRID_LEADER_BYTES = 4 << 20 /* of messages between machines, with headers */
};

typedef struct {
  bool open;
  MPI_Comm local, leaders; /* this machine's processes; the first process of each machine, or MPI_COMM_NULL */
  int size, rank;          /* of the set */
  int machines, machine;   /* their number, and that of this process's */
  int local_size, local_rank;
  /* member[first[m] .. first[m + 1]): the ranks of machine m, in ascending order; machines are in the order
   * of their lowest ranks */
  int *first, *member;
  grid_mailbox mailbox;
  grid_shm_windows windows;
  uint64_t turn; /* number of earlier exchanges of the leaders */
  /* By local process and member: what it sends, and where that is in its stream (two_level.c). */
  uint64_t *word;
  size_t *at, *total; /* total: bytes of each local process's stream */
  char *heads;        /* GRID_MAX_HEAD bytes for each local process */
  grid_stream_range *out, *in;
  size_t *round;   /* 5 sizes for each member: a caller's arguments */
  uint64_t *block; /* a status, and the headers that arrived from each machine */
  /* the leader's: messages to and from other machines */
  grid_recv_buffer send, recv;
} grid_machine_group;

static inline int grid_machine_size(const grid_machine_group *g, int machine) {
  return g->first[machine + 1] - g->first[machine];
}
/* Bytes of the header of a message between machines of so many processes (two_level.c). */
static inline size_t grid_machine_header(int from, int to, size_t head) {
  return 16 + 8 * (size_t)from * (size_t)to + (size_t)from * ((head + 7) / 8 * 8);
}

/* Groups the processes of comm by `machine`, a number that processes share if they are on one machine. Open
 * only if there are several machines, one of them with several processes, within the limits above and with
 * enough memory. Collective over comm; the same answer everywhere. */
bool grid_machine_group_open(grid_machine_group *g, MPI_Comm comm, grid_set set, int machine);
void grid_machine_group_close(grid_machine_group *g);
#endif
