/* Messages of which only the sender knows the length: one call, in which nobody is told anything first. */
#ifndef GRID_ALLTOALLV_UNSIZED_H
#define GRID_ALLTOALLV_UNSIZED_H
#include "semiring/semiring.h"

/* What came: of process r bytes[r] bytes from buf + off[r] on, a multiple of 8. The arrays are the caller's,
 * as long as the set is large. */
typedef struct {
  char *buf; /* from grid_malloc; grows */
  uint64_t capacity;
  size_t *bytes, *off;
  size_t *left; /* for the transport */
  /* Where it is not NULL, the first `head` bytes of process r's segment, which has as many, are at heads + r
   * * head, too, whether there is memory for the rest or not. Where all share memory it is NULL. */
  char *heads;
  size_t head;
} grid_recv_buffer;

/* Room for so many bytes; what is there stays, up to `used`. */
GrB_Info grid_recv_buffer_grow(grid_recv_buffer *in, uint64_t used, uint64_t need);

/* Between all processes of comm (address of an MPI_Comm), by MPI's messages; turn: how many alltoallv calls
 * there have been on it. The rest as a transport's deliver. */
GrB_Info grid_alltoallv_nocounts(const void *comm, uint64_t turn, const char *send, const size_t *bytes,
                                 const size_t *off, grid_recv_buffer *in);
#endif
