/* The transport of the 1 x 1 grid: every set is this process alone, so a message is a local copy. */
#include <string.h>

#include "dist/comm/transport/transport.h"

static GrB_Info self_allreduce(grid_set set, uint64_t *v, size_t n, grid_reduction op) {
  (void)set, (void)v, (void)n, (void)op;
  return GrB_SUCCESS;
}

static GrB_Info self_allreduce_with(grid_set set, void *buf, size_t bytes, grid_combine_fn f, void *context) {
  (void)set, (void)buf, (void)bytes, (void)f, (void)context;
  return GrB_SUCCESS;
}

static GrB_Info self_bcast(grid_set set, void *buf, size_t bytes, int root) {
  (void)set, (void)buf, (void)bytes, (void)root;
  return GrB_SUCCESS;
}

static GrB_Info self_allgather(grid_set set, const void *send, size_t bytes, void *recv) {
  (void)set;
  if (bytes) memcpy(recv, send, bytes);
  return GrB_SUCCESS;
}

static GrB_Info self_exchange(grid_set set, const void *sendbuf, const size_t *sendbytes,
                              const size_t *sendoff, void *recvbuf, const size_t *recvbytes,
                              const size_t *recvoff) {
  (void)set, (void)recvbytes;
  if (sendbytes[0]) memcpy((char *)recvbuf + recvoff[0], (const char *)sendbuf + sendoff[0], sendbytes[0]);
  return GrB_SUCCESS;
}

static GrB_Info self_alltoallv_nocounts(grid_set set, const void *sendbuf, const size_t *sendbytes,
                                        const size_t *sendoff, grid_recv_buffer *in) {
  (void)set;
  GrB_Info info = grid_recv_buffer_grow(in, 0, sendbytes[0]);
  in->off[0] = 0;
  in->bytes[0] = info == GrB_SUCCESS ? sendbytes[0] : 0;
  if (in->bytes[0]) memcpy(in->buf, (const char *)sendbuf + sendoff[0], in->bytes[0]);
  return info;
}

const grid_transport grid_transport_self = {
    "self", self_allreduce, self_allreduce_with,     self_bcast, self_allgather, self_exchange, NULL, NULL,
    NULL,   NULL,           self_alltoallv_nocounts,
};
