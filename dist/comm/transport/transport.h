/* Transports: how bytes move between the processes of a grid. One row of this table per transport; every call
 * is collective over the processes of `set`. Counts are bytes. A call returns GrB_SUCCESS or GrB_PANIC with
 * the cause in grid_last_error. */
#ifndef GRID_TRANSPORT_H
#define GRID_TRANSPORT_H
#include "dist/comm/transport/alltoallv_unsized.h"
#include "semiring/semiring.h"

/* Which processes take part. Ranks inside a set: ROW = same grid row i, ranked by column j; COL = same grid
 * column j, ranked by row i; ALL = the whole grid, ranked k = j * R + i (the owner of chunk k). */
typedef enum { GRID_SET_ROW, GRID_SET_COL, GRID_SET_ALL, GRID_NSETS } grid_set;
typedef enum { GRID_SUM, GRID_MAX, GRID_MIN, GRID_BOR } grid_reduction;
/* inout = inout (+) in, both of `bytes` bytes laid out as the caller knows. */
typedef void (*grid_combine_fn)(void *inout, const void *in, size_t bytes, void *context);

typedef struct {
  const char *name;
  GrB_Info (*allreduce)(grid_set set, uint64_t *v, size_t n, grid_reduction op);
  /* One allreduce of an opaque buffer with a commutative, associative combination. */
  GrB_Info (*allreduce_with)(grid_set set, void *buf, size_t bytes, grid_combine_fn f, void *context);
  GrB_Info (*bcast)(grid_set set, void *buf, size_t bytes, int root);
  /* Every process gives `bytes` (the same number everywhere) and gets all, in rank order. */
  GrB_Info (*allgather)(grid_set set, const void *send, size_t bytes, void *recv);
  /* send segment r (sendbytes[r] bytes at sendbuf + sendoff[r]) to process r; what process r sends arrives at
   * recvbuf + recvoff[r]; recvbytes must match what is sent. */
  GrB_Info (*exchange)(grid_set set, const void *sendbuf, const size_t *sendbytes, const size_t *sendoff,
                       void *recvbuf, const size_t *recvbytes, const size_t *recvoff);
  /* The same between all processes where `longest`, the longest segment that one sends another, is known to
   * all; own segments are given as empty. NULL: there is no better way for long segments. */
  GrB_Info (*exchange_long)(const void *sendbuf, const size_t *sendbytes, const size_t *sendoff,
                            void *recvbuf, const size_t *recvbytes, const size_t *recvoff, size_t longest);
  /* Memory that all processes share, or NULL where they do not or it is too small, which is the same on all:
   * each writes its own part, all meet, and each reads what it likes. It is written over in the fourth such
   * call, or long exchange, from there on: who takes part in the third has finished reading. */
  char *(*shared_buffer)(size_t bytes);
  void (*barrier)(void);
  /* Everybody's segment to everybody, bytes[r] of process r to `all` + off[r], sizes known to all; false, the
   * same on all: there is no better way than an exchange. */
  bool (*gather_long)(const void *mine, const size_t *bytes, const size_t *off, void *all);
  /* Send segment r, of sendbytes[r] bytes at sendbuf + sendoff[r], to process r, who does not know how long
   * it is; a segment that is not empty begins with its length, 8 bytes. All segments that come, the own one
   * too, are in *in then. A process without memory for them gets GrB_OUT_OF_MEMORY and nothing, the others
   * all that was sent to them. */
  GrB_Info (*alltoallv_nocounts)(grid_set set, const void *sendbuf, const size_t *sendbytes,
                                 const size_t *sendoff, grid_recv_buffer *in);
} grid_transport;

extern const grid_transport grid_transport_self; /* one process, no MPI */
extern const grid_transport grid_transport_mpi;

/* What went through the MPI transport since the start: calls, which all processes of a set make alike, and
 * bytes that this one gave to others (docs/design.md, "Messages"). */
typedef struct {
  uint64_t calls, bytes;
} grid_traffic;
extern grid_traffic grid_traffic_now;
#endif
