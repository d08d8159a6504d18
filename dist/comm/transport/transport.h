/* Transports: tables of functions that move bytes between the processes of a grid. Every call is
 * collective over the processes of `set`. Counts are bytes. A call returns GrB_SUCCESS, or GrB_PANIC with
 * the cause in grid_last_error. */
#ifndef GRID_TRANSPORT_H
#define GRID_TRANSPORT_H
#include "dist/comm/transport/alltoallv_unsized.h"
#include "semiring/semiring.h"

/* Which processes take part. Ranks inside a set: ROW = same grid row i, ranked by column j; COL = same grid
 * column j, ranked by row i; ALL = the whole grid, ranked k = j * R + i (the owner of chunk k). */
typedef enum { GRID_SET_ROW, GRID_SET_COL, GRID_SET_ALL, GRID_NSETS } grid_set;
typedef enum { GRID_SUM, GRID_MAX, GRID_MIN, GRID_BOR } grid_reduction;
/* inout = inout (+) in, both of `bytes` bytes in a layout of the caller's. */
typedef void (*grid_combine_fn)(void *inout, const void *in, size_t bytes, void *context);

typedef struct {
  const char *name;
  GrB_Info (*allreduce)(grid_set set, uint64_t *v, size_t n, grid_reduction op);
  /* An allreduce of an opaque buffer by a commutative, associative f. */
  GrB_Info (*allreduce_with)(grid_set set, void *buf, size_t bytes, grid_combine_fn f, void *context);
  GrB_Info (*bcast)(grid_set set, void *buf, size_t bytes, int root);
  /* Every process gives `bytes` bytes (the same number everywhere) and gets all, in rank order. */
  GrB_Info (*allgather)(grid_set set, const void *send, size_t bytes, void *recv);
  /* Sends segment r (sendbytes[r] bytes at sendbuf + sendoff[r]) to process r; the segment from process r
   * arrives at recvbuf + recvoff[r]. recvbytes must match what is sent. Point to point: a process that has
   * nothing to send or to receive need not call. */
  GrB_Info (*exchange)(grid_set set, const void *sendbuf, const size_t *sendbytes, const size_t *sendoff,
                       void *recvbuf, const size_t *recvbytes, const size_t *recvoff);
  /* The same, collective, where all processes of the set know `longest`, the bytes of the longest segment
   * between two of them; a process's segment for itself is empty. NULL: the transport has no faster method
   * for long segments. */
  GrB_Info (*exchange_long)(grid_set set, const void *sendbuf, const size_t *sendbytes, const size_t *sendoff,
                            void *recvbuf, const size_t *recvbytes, const size_t *recvoff, size_t longest);
  /* Memory shared by the processes of the set, or NULL on all of them where there is none or it is too small.
   * Each process writes its own range, all pass the barrier, each reads any range. The fourth later call of
   * this or exchange_long with the set reuses the memory; a process that takes part in the third has finished
   * its reads. */
  char *(*shared_buffer)(grid_set set, size_t bytes);
  void (*barrier)(grid_set set);
  /* Gathers bytes[r] bytes of every process r at all + off[r], sizes known everywhere. false, on all
   * processes alike: nothing was done, because exchange is as fast. */
  bool (*gather_long)(const void *local, const size_t *bytes, const size_t *off, void *all);
  /* Sends segment r, of sendbytes[r] bytes at sendbuf + sendoff[r], to process r, which does not know its
   * length; a segment that is not empty begins with its length, 8 bytes. *in receives all segments, the
   * process's own included. A process without memory for them gets GrB_OUT_OF_MEMORY and no segments; in
   * two levels (two_level.h) others may get it too. Heads arrive in any case. */
  GrB_Info (*alltoallv_nocounts)(grid_set set, const void *sendbuf, const size_t *sendbytes,
                                 const size_t *sendoff, grid_recv_buffer *in);
} grid_transport;

extern const grid_transport grid_transport_self; /* one process, without MPI */
extern const grid_transport grid_transport_mpi;

/* Traffic of the context's MPI transport since the start: calls, the same on all processes of a set, and
 * bytes sent by this process to others (docs/how/communication.md). */
typedef struct {
  uint64_t calls, bytes;
} grid_traffic;
extern grid_traffic grid_default_traffic_now GRID_DECLARED_OF_CONTEXT;
#define grid_traffic_now GRID_IN_CONTEXT(grid_default_traffic_now)
#endif
