/* Exchanges in two levels (Pan et al., V-A). The processes of a machine collect through shared memory what
 * goes to another machine. Their first one (the leader) sends it as one message, and the other machine's
 * processes read it from shared memory. A segment that a process sends to several processes of a machine
 * passes the network once. */
#ifndef GRID_TWO_LEVEL_H
#define GRID_TWO_LEVEL_H
#include "dist/comm/transport/machines/machine_messages.h"

/* Segments to each process of the set, as in transport.h. They are received in `in`, whose processes do not
 * know their lengths, or (in == NULL) at recv + recv_off[r]. Segments for neighbouring ranks that have the
 * same address are sent once. */
typedef struct {
  const char *send;
  const size_t *bytes, *off;
  grid_recv_buffer *in;
  char *recv;
  const size_t *recv_off;
} grid_two_level_call;

/* Where in == NULL, no process may send or receive more than grid_two_level_share bytes a pair: the leaders'
 * buffers suffice for these. Else a process, or all of its machine, may get GrB_OUT_OF_MEMORY and no
 * segments; heads arrive in any case. Beyond its length, a head is the same in all segments of a process. */
GrB_Info grid_two_level_alltoallv(grid_machine_group *g, const grid_two_level_call *call);
/* ... `replicated`: every process sends one segment to all. */
size_t grid_two_level_share(const grid_machine_group *g, bool replicated);
/* buf = f over the set; at most GRID_TWO_LEVEL_REDUCE bytes. */
#define GRID_TWO_LEVEL_REDUCE (GRID_MAILBOX_BYTES - 8)
GrB_Info grid_two_level_reduce(grid_machine_group *g, void *buf, size_t bytes, grid_combine_fn f,
                               void *context);
#endif
