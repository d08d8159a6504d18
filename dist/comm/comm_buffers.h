/* The exchanges of a product, made for many small rounds: buffers are kept with the matrix and grow seldom. A
 * round costs one call in a set of few processes, in which a process that has failed sends nothing; in a set
 * of many one for sizes and one for the payload, and a failure makes all of the set fail (GRID_REMOTE_FAILURE
 * on those who did not fail themselves). The grid learns of it at the product's next agreement. */
#ifndef GRID_COMM_BUFFERS_H
#define GRID_COMM_BUFFERS_H
#include "dist/grid/process_grid.h"
#include "dist/comm/transport/message.h"

/* More processes than this tell sizes first, in messages that pass from one to the next: most of so many have
 * nothing for most others. */
enum { GRID_MAX_DIRECT_PEERS = 64 };

typedef struct {
  char *send, *recv;
  uint64_t send_capacity, recv_capacity;
  uint64_t *table; /* sizes and rooms of all processes of a set */
  size_t *counts;  /* bytes and offsets, sent and received; one more for an alltoallv */
  char *dense;     /* values of other processes' outputs (dist/product/exchange/pull_ring.c), */
  uint64_t dense_capacity;
  char *heads; /* of segments that carry numbers: the own one, then those of all */
} grid_comm_buffers;

/* Makes the tables; once for a matrix, agreed on by the grid. */
GrB_Info grid_comm_buffers_make(grid_comm_buffers *w);
void grid_comm_buffers_free(grid_comm_buffers *w);

/* Room for so many bytes at w->send; what was there is lost. */
GrB_Info grid_comm_buffers_reserve(grid_comm_buffers *w, uint64_t bytes);

/* What arrived: message s is buf + off[s], of bytes[s] bytes. Lives until the next exchange with this
 * workspace. */
typedef struct {
  const char *buf;
  const size_t *bytes, *off;
} grid_received;
static inline grid_message grid_received_message(const grid_received *g, size_t s) {
  return grid_message_read(g->buf + g->off[s], g->bytes[s]);
}

/* Every process of the set gives one message and gets all. *sent += bytes that went to others. info: the
 * outcome so far on this process, which takes part in any case. */
GrB_Info grid_allgather_messages(grid_comm_buffers *w, grid_set set, GrB_Info info, const grid_entries_out *e,
                                 grid_received *got, uint64_t *sent);
/* Every process gives message segment[s] to process s; otherwise the same. */
GrB_Info grid_alltoall_messages(grid_comm_buffers *w, grid_set set, GrB_Info info,
                                const grid_entries_out *segment, grid_received *got, uint64_t *sent);
/* The same of segments that stand at w->send: of process r w->counts[r] bytes, its length first (8 bytes),
 * from w->counts[S + r] on, S being the set's size; an empty one has no bytes. Nothing is sent, nor comes,
 * where info is a failure. */
GrB_Info grid_alltoall_packed(grid_comm_buffers *w, grid_set set, GrB_Info info, grid_received *got);

/* ---- counters and payload in one call ---- */

/* Can all processes, who are this set, do so? */
bool grid_can_send_payload(grid_set set);
/* Bytes that stand before the payload of a segment which takes n numbers along. */
enum { GRID_PAYLOAD_COUNTERS = 16 };
static inline size_t grid_payload_header(size_t n) {
  return (2 + n) * sizeof(uint64_t);
}
/* grid_agree_sum of n numbers, and with it a segment for each, whose payload has been written behind such a
 * head: of process r at w->send + w->counts[S + r], of w->counts[r] bytes with the head, which is filled in
 * here. written: false: this process has no payload. What comes has no heads any more. *lost: this process
 * has no memory for it, and got nothing, which is for the next agreement to say; it has the sums all the
 * same. *sent += bytes of heads that went to others. Collective, agreed on. */
GrB_Info grid_agree_sum_payload(grid_comm_buffers *w, grid_head *head, GrB_Info info, uint64_t *v, size_t n,
                                bool written, grid_received *got, GrB_Info *lost, uint64_t *sent);
#endif
