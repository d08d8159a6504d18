/* How bytes move between the processes' device memories: the transport's table
 * (dist/comm/transport/transport.h) once more, on pointers into device memory. One row is NCCL's; the other
 * goes through host memory and the MPI transport. It serves where NCCL is missing, where processes share a
 * GPU, in contexts other than the default one, or with GRIDBLAS_TUNE=nccl=off. (Where GPUs see each other, a
 * short list of entries goes through windows: peer_windows.h, spmat/vector/peer_exchange.h.) All calls are
 * collective over the processes of `set`, and in the order of the device's stream. What they write may be
 * used by later work in that stream, and by the host after grid_device_wait. */
#ifndef GRID_DEVICE_TRANSPORT_H
#define GRID_DEVICE_TRANSPORT_H
#include "dist/comm/transport/transport.h"

typedef struct {
  const char *name;
  /* Every process gives `bytes` bytes (the same number everywhere) and gets all, in rank order. In place:
   * send is recv + rank * bytes. */
  GrB_Info (*allgather)(grid_set set, const void *send, size_t bytes, void *recv);
  /* Sends segment r (sendbytes[r] bytes at sendbuf + sendoff[r]) to process r; the segment from process r
   * arrives at recvbuf + recvoff[r]. recvbytes must match what is sent. Sizes are in host memory. Sent
   * segments may overlap. */
  GrB_Info (*exchange)(grid_set set, const void *sendbuf, const size_t *sendbytes, const size_t *sendoff,
                       void *recvbuf, const size_t *recvbytes, const size_t *recvoff);
  /* n words, in place. Not between begin and end. */
  GrB_Info (*allreduce)(grid_set set, uint64_t *v, size_t n, grid_reduction op);
  GrB_Info (*bcast)(grid_set set, void *buf, size_t bytes, int root);
  /* The calls between begin and end form one group, the same on all processes. Results are valid only
   * after end. */
  GrB_Info (*begin)(void);
  GrB_Info (*end)(void);
} grid_device_transport;

/* The transport in use. Collective over the grid: the first call with the device on opens it. */
GrB_Info grid_device_transport_get(const grid_device_transport **t);
/* Called before the context ends its use of the device. */
void grid_device_transport_close(void);

/* chunks_device.c: chunks of a dimension n, `bits` bits for each padded index, between the processes of a
 * grid row or column. Gathers all into a block's vector (dist/grid/layout.h: grid_member_offset), where the
 * local chunk is already. */
GrB_Info grid_device_gather_chunks(const grid_device_transport *t, grid_set set, uint64_t n, size_t bits,
                                   void *all);
/* The reverse: each process gets its chunk of the others' vectors, one copy after the other in rank order. */
GrB_Info grid_device_exchange_chunks(const grid_device_transport *t, grid_set set, uint64_t n, size_t bits,
                                     const void *all, void *local);

/* send_keys_device.c: keys in groups, one for each process, and how many all processes have for each other.
 */
typedef struct {
  const uint64_t *first; /* first[r]: offset of this process's group for process r */
  const uint64_t *count; /* count[k * stride + r]: elements that process k sends to process r */
  size_t stride;
  const char *what; /* name of the keys in error texts */
} grid_key_groups;
/* Replaces *keys, in device memory, by the *n received ones. Collective over the grid, agreed on. */
GrB_Info grid_send_keys(grid_head *head, const grid_key_groups *g, uint64_t **keys, uint64_t *n);
/* The same for elements of `size` bytes at *at. */
GrB_Info grid_send_groups(grid_head *head, const grid_key_groups *g, size_t size, void **at, uint64_t *n);

/* transport_nccl.c; `at` is NULL in a build without NCCL's header. open loads the library and makes the
 * communicators; GrB_NOT_IMPLEMENTED, with the reason in text: NCCL cannot be used here, which is no
 * error. Collective, agreed on. */
typedef struct {
  const grid_device_transport *at;
  GrB_Info (*open)(char *text, size_t capacity);
  void (*close)(void);
} grid_nccl_row;
extern const grid_nccl_row grid_nccl;
/* device_transport.c: staged through host memory. */
extern const grid_device_transport grid_transport_staged;
#endif
