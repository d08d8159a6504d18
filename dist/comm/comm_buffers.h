/* The exchanges of a product, for many small rounds: buffers belong to the matrix and rarely grow. A round
 * costs one call in a small set, where a failed process sends nothing. Where processes share memory, long
 * messages cost a second one. In a large set it costs two, one for sizes and one for the payload. A failure
 * then fails the whole set, with GRID_REMOTE_FAILURE on the other processes; the grid learns of it at the
 * product's next agreement. */
#ifndef GRID_COMM_BUFFERS_H
#define GRID_COMM_BUFFERS_H
#include "dist/grid/process_grid.h"
#include "dist/comm/transport/message.h"

/* Larger sets exchange sizes first, by an allgather: in them most pairs of processes have nothing to send. */
enum { GRID_MAX_DIRECT_PEERS = 64 };

typedef struct {
  char *send, *recv;
  uint64_t send_capacity, recv_capacity;
  uint64_t *table; /* sizes and capacities of all processes of a set */
  size_t *counts;  /* bytes and offsets, sent and received; a fifth row for an alltoallv */
  char *dense;     /* values of other processes' outputs (dist/product/exchange/pull_ring.c) */
  uint64_t dense_capacity;
  char *heads; /* segment headers with counters: this process's, then those of all */
} grid_comm_buffers;

/* Allocates the tables, once for a matrix. Collective, agreed on. */
GrB_Info grid_comm_buffers_make(grid_comm_buffers *w);
void grid_comm_buffers_free(grid_comm_buffers *w);

/* Reserves `bytes` bytes at w->send; earlier contents are lost. */
GrB_Info grid_comm_buffers_reserve(grid_comm_buffers *w, uint64_t bytes);

/* Received messages: message s has bytes[s] bytes at buf + off[s]. Valid until the next exchange with the
 * same buffers. */
typedef struct {
  const char *buf;
  const size_t *bytes, *off;
} grid_received;
static inline grid_message grid_received_message(const grid_received *g, size_t s) {
  return grid_message_read(g->buf + g->off[s], g->bytes[s]);
}

/* Every process of the set gives one message and receives all. *sent += bytes sent to other processes.
 * info: this process's outcome so far; it takes part even after a failure. Collective over the set. */
GrB_Info grid_allgather_messages(grid_comm_buffers *w, grid_set set, GrB_Info info, const grid_entries_out *e,
                                 grid_received *got, uint64_t *sent);
/* The same, but each process sends message segment[s] to process s. */
GrB_Info grid_alltoall_messages(grid_comm_buffers *w, grid_set set, GrB_Info info,
                                const grid_entries_out *segment, grid_received *got, uint64_t *sent);
/* The same for segments already packed at w->send. The segment for process r has w->counts[r] bytes at
 * offset w->counts[S + r], S being the set's size, and begins with its length (8 bytes). An empty segment
 * has 0 bytes. Where info is a failure, this process sends and receives nothing. */
GrB_Info grid_alltoall_packed(grid_comm_buffers *w, grid_set set, GrB_Info info, grid_received *got);

/* ---- counters and payload in one call ---- */

/* Can the processes of `set` do that? Only if the set is the whole grid. */
bool grid_can_send_payload(grid_set set);
/* Bytes of the header before the payload of a segment that carries n counters. */
enum { GRID_PAYLOAD_COUNTERS = 16 };
static inline size_t grid_payload_header(size_t n) {
  return (2 + n) * sizeof(uint64_t);
}
/* grid_agree_sum of n counters, together with one payload segment per process, written behind the room for
 * a header. The segment for process r has w->counts[r] bytes, header included, at w->send + w->counts[S +
 * r]; this function fills in the headers. written: false if this process has no payload. *got: segments
 * without headers. *lost: GrB_OUT_OF_MEMORY where this process could not store the payload; it has the
 * sums nevertheless, and the next agreement must include *lost. *sent += bytes of headers sent to other
 * processes. Collective, agreed on. */
GrB_Info grid_agree_sum_payload(grid_comm_buffers *w, grid_head *head, GrB_Info info, uint64_t *v, size_t n,
                                bool written, grid_received *got, GrB_Info *lost, uint64_t *sent);
#endif
