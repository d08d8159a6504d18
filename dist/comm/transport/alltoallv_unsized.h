/* An alltoallv in one call, without an exchange of sizes: only senders know the lengths. */
#ifndef GRID_ALLTOALLV_UNSIZED_H
#define GRID_ALLTOALLV_UNSIZED_H
#include <stdbool.h>

#include "semiring/semiring.h"

/* The received segments: that of process r has bytes[r] bytes at buf + off[r], a multiple of 8. The caller
 * provides the arrays, of the set's size. */
typedef struct {
  char *buf; /* from grid_malloc; grown as needed */
  uint64_t capacity;
  size_t *bytes, *off;
  size_t *left; /* remaining bytes of each segment, used by the transport */
  /* If not NULL: a copy of the first `head` bytes of process r's segment at heads + r * head, even where
   * memory lacks for the segment itself. The segment must have as many bytes. NULL where all processes
   * share memory. */
  char *heads;
  size_t head;
  bool is_replicated; /* the segments that a process sends are one and the same; so on every process */
  /* If not NULL, all processes of the set have an open mailbox (shm_mailbox.h) and as many sizes fit it.
   * Where the segments do not, is_long becomes true on all of them, and no segment arrives. sizes[f * S + t]
   * = bytes that process f sends to process t; of replicated segments sizes[f] = those that process f sends.
   */
  uint64_t *sizes;
  bool is_long;
} grid_recv_buffer;

/* Grows the buffer to `need` bytes; its first `used` bytes are preserved. */
GrB_Info grid_recv_buffer_grow(grid_recv_buffer *in, uint64_t used, uint64_t need);

/* By MPI point-to-point messages between all processes of comm (address of an MPI_Comm). turn: number of
 * earlier alltoallv calls on comm. Arguments and errors otherwise as in grid_transport.alltoallv_nocounts. */
GrB_Info grid_alltoallv_nocounts(const void *comm, uint64_t turn, const char *send, const size_t *bytes,
                                 const size_t *off, grid_recv_buffer *in);
#endif
