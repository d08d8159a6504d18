/* Messages of which only the sender knows the length: one call, in which nobody is told anything first. */
#ifndef GRID_DELIVER_H
#define GRID_DELIVER_H
#include "semiring/semiring.h"

/* What came: of process r bytes[r] bytes from buf + off[r] on, a multiple of 8. The arrays are the caller's,
 * as long as the set is large. */
typedef struct {
  char *buf; /* from grid_malloc; grows */
  uint64_t room;
  size_t *bytes, *off;
  size_t *left; /* for the transport */
  /* Where it is not NULL, the first `head` bytes of process r's piece, which has as many, are at heads + r *
   * head, too, whether there is memory for the rest or not. Where all share memory it is NULL. */
  char *heads;
  size_t head;
} grid_inbox;

/* Room for so many bytes; what is there stays, up to `used`. */
GrB_Info grid_inbox_grow(grid_inbox *in, uint64_t used, uint64_t need);

/* Between all processes of comm (address of an MPI_Comm), by MPI's messages; turn: how many deliveries there
 * have been on it. The rest as a transport's deliver. */
GrB_Info grid_deliver(const void *comm, uint64_t turn, const char *send, const size_t *bytes,
                      const size_t *off, grid_inbox *in);
#endif
