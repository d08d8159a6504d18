/* The choice of the device transport, and the transport that stages messages through host memory. */
#include "dist/comm/device_transport.h"

#include <stdlib.h>
#include <string.h>

#include "dist/grid/process_grid.h"
#include "dist/comm/peer_windows.h"
#include "semiring/support/tuning.h"
#include "spmat/backend.h"
#include "spmat/device/device_lost.h"

static struct {
  const grid_device_transport *at; /* NULL: not opened yet */
  bool nccl, windows;              /* in use */
  char *buffer;                    /* host memory for the staged transport */
} default_state GRID_OF_CONTEXT;
#define state GRID_IN_CONTEXT(default_state)

/* Messages are staged in slices of a fixed buffer, so that no allocation happens inside an exchange. After
 * a failed device copy the exchange continues with undefined contents, because the other processes wait
 * for the messages. */
static const size_t STAGING_SIZE = (size_t)16 << 20;

static GrB_Info open_staged(void) {
  if (grid_ctx.P == 1) return GrB_SUCCESS; /* messages are device copies */
  state.buffer = grid_malloc(STAGING_SIZE, 1);
  return grid_agree(NULL,
                    state.buffer ? GrB_SUCCESS : grid_fail_memory(NULL, "a staging buffer", STAGING_SIZE, 1));
}

GrB_Info grid_device_transport_get(const grid_device_transport **t) {
  *t = state.at;
  if (state.at) return GrB_SUCCESS;
  char why[160] = "";
  /* process 0 decides: an environment may differ from machine to machine */
  const char *share = getenv("GRIDBLAS_SHARE_GPU");
  const bool is_default = grid_context_is_default();
  uint64_t v[2] = {grid_ctx.k == 0 && !(grid_tune.nccl && is_default),
                   grid_ctx.k == 0 && is_default && share && strcmp(share, "peer") == 0};
  GrB_Info info = grid_ctx.transport->allreduce(GRID_SET_ALL, v, 2, GRID_MAX);
  if (info != GrB_SUCCESS) return info;
  if (grid_ctx.P > 1 && !is_default)
    grid_report_fallback("messages go through host memory: NCCL serves the default context alone");
  const bool off = v[0], windows = grid_ctx.P > 1 && v[1];
  if (grid_ctx.P > 1 && !off && grid_nccl.at) {
    info = grid_nccl.open(why, sizeof why);
    state.nccl = info == GrB_SUCCESS;
    if (state.nccl) state.at = grid_nccl.at;
    if (info != GrB_SUCCESS && info != GrB_NOT_IMPLEMENTED) return info;
  }
  if (!state.at) {
    if (grid_ctx.P > 1 && !off)
      grid_report_fallback(grid_nccl.at ? why : "messages go through host memory: built without NCCL");
    if ((info = open_staged()) != GrB_SUCCESS) return info;
    state.at = &grid_transport_staged;
  }
  state.windows = state.nccl || windows;
  if (windows && !state.nccl) grid_device_watch(grid_window_check_peers);
  if (state.windows) grid_device_set_loss_handler(grid_window_report_failure);
  if (state.windows) info = grid_window_open();
  *t = state.at;
  return info;
}

void grid_device_transport_close(void) {
  grid_window_close();
  if (state.nccl) grid_nccl.close();
  if (state.windows) {
    grid_device_watch(NULL);
    grid_device_set_loss_handler(NULL);
  }
  grid_free(state.buffer);
  state.buffer = NULL;
  state.at = NULL;
  state.nccl = state.windows = false;
}

/* ---- through host memory ---- */

static size_t min_size(size_t a, size_t b) {
  return a < b ? a : b;
}

static GrB_Info staged_allgather(grid_set set, const void *send, size_t bytes, void *recv) {
  const size_t S = (size_t)grid_set_size(set), slice = STAGING_SIZE / (S + 1) / 256 * 256;
  if (S == 1) return send == recv ? GrB_SUCCESS : grid_device_copy(recv, send, bytes);
  char *all = state.buffer + slice;
  GrB_Info info = GrB_SUCCESS, failed = info;
  for (size_t at = 0; at < bytes && info == GrB_SUCCESS; at += slice) {
    const size_t m = min_size(bytes - at, slice);
    GrB_Info copied = grid_device_get(state.buffer, (const char *)send + at, m);
    TRY(grid_ctx.transport->allgather(set, state.buffer, m, all));
    for (size_t r = 0; r < S && copied == GrB_SUCCESS; r++)
      copied = grid_device_write((char *)recv + r * bytes + at, all + r * m, m);
    failed = failed == GrB_SUCCESS ? copied : failed;
  }
done:
  return info == GrB_SUCCESS ? failed : info;
}

/* Remaining bytes of a segment in the round that begins at `at`. */
static size_t remaining_bytes(size_t bytes, size_t at, size_t slice) {
  return bytes > at ? min_size(bytes - at, slice) : 0;
}

/* Rounds of one slice per process. Messages are point to point, so each process stops when its own
 * segments are done. */
static GrB_Info staged_exchange(grid_set set, const void *sendbuf, const size_t *sendbytes,
                                const size_t *sendoff, void *recvbuf, const size_t *recvbytes,
                                const size_t *recvoff) {
  const size_t S = (size_t)grid_set_size(set), slice = STAGING_SIZE / (2 * S) / 256 * 256;
  if (S == 1)
    return grid_device_copy((char *)recvbuf + *recvoff, (const char *)sendbuf + *sendoff, *sendbytes);
  size_t sizes[4 * 64], *w = S <= 64 ? sizes : grid_malloc(4 * S, sizeof *w), longest = 0;
  GrB_Info info = w ? GrB_SUCCESS : grid_fail_memory(NULL, "message sizes", 4 * S, sizeof *w), failed = info;
  for (size_t r = 0; r < S; r++) {
    longest = sendbytes[r] > longest ? sendbytes[r] : longest;
    longest = recvbytes[r] > longest ? recvbytes[r] : longest;
  }
  for (size_t at = 0; at < longest && info == GrB_SUCCESS; at += slice) {
    size_t *out = w, *outoff = w + S, *in = w + 2 * S, *inoff = w + 3 * S;
    GrB_Info copied = GrB_SUCCESS;
    for (size_t r = 0; r < S; r++) {
      out[r] = remaining_bytes(sendbytes[r], at, slice);
      in[r] = remaining_bytes(recvbytes[r], at, slice);
      outoff[r] = r * slice;
      inoff[r] = (S + r) * slice;
      if (out[r] && copied == GrB_SUCCESS)
        copied = grid_device_get(state.buffer + outoff[r], (const char *)sendbuf + sendoff[r] + at, out[r]);
    }
    TRY(grid_ctx.transport->exchange(set, state.buffer, out, outoff, state.buffer, in, inoff));
    for (size_t r = 0; r < S && copied == GrB_SUCCESS; r++)
      if (in[r])
        copied = grid_device_write((char *)recvbuf + recvoff[r] + at, state.buffer + inoff[r], in[r]);
    failed = failed == GrB_SUCCESS ? copied : failed;
  }
done:
  if (w != sizes) grid_free(w);
  return info == GrB_SUCCESS ? failed : info;
}

static GrB_Info staged_allreduce(grid_set set, uint64_t *v, size_t n, grid_reduction op) {
  uint64_t *words = (uint64_t *)(void *)state.buffer;
  GrB_Info info = GrB_SUCCESS, failed = info;
  if (grid_set_size(set) == 1) return info;
  for (size_t at = 0; at < n; at += STAGING_SIZE / 8) {
    const size_t m = min_size(n - at, STAGING_SIZE / 8);
    GrB_Info copied = grid_device_get(words, v + at, 8 * m);
    TRY(grid_ctx.transport->allreduce(set, words, m, op));
    if (copied == GrB_SUCCESS) copied = grid_device_write(v + at, words, 8 * m);
    failed = failed == GrB_SUCCESS ? copied : failed;
  }
done:
  return info == GrB_SUCCESS ? failed : info;
}

static GrB_Info staged_bcast(grid_set set, void *buf, size_t bytes, int root) {
  const bool is_root = grid_set_rank(set) == root;
  GrB_Info info = GrB_SUCCESS, failed = info;
  if (grid_set_size(set) == 1) return info;
  for (size_t at = 0; at < bytes; at += STAGING_SIZE) {
    const size_t m = min_size(bytes - at, STAGING_SIZE);
    GrB_Info copied = is_root ? grid_device_get(state.buffer, (char *)buf + at, m) : GrB_SUCCESS;
    TRY(grid_ctx.transport->bcast(set, state.buffer, m, root));
    if (!is_root) copied = grid_device_write((char *)buf + at, state.buffer, m);
    failed = failed == GrB_SUCCESS ? copied : failed;
  }
done:
  return info == GrB_SUCCESS ? failed : info;
}

static GrB_Info staged_begin(void) {
  return GrB_SUCCESS;
}

const grid_device_transport grid_transport_staged = {
    "MPI through host memory",
    staged_allgather,
    staged_exchange,
    staged_allreduce,
    staged_bcast,
    staged_begin,
    staged_begin,
};
