/* The device transport over NCCL. The library is loaded at run time, so that one build runs with and
 * without it. NVLink multicast stays off. */
#include "dist/comm/device_transport.h"

#ifndef GRID_NCCL
const grid_nccl_row grid_nccl = {0};
#else
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <nccl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dist/grid/process_grid.h"
#include "dist/comm/peer_windows.h"
#include "spmat/backend.h"
#include "spmat/cuda/device/stream.h"

/* ---- the library ---- */

#define FUNCTIONS(F)   \
  F(GetErrorString)    \
  F(GetUniqueId)       \
  F(CommInitRank)      \
  F(CommSplit)         \
  F(CommDestroy)       \
  F(CommAbort)         \
  F(CommGetAsyncError) \
  F(AllGather) F(AllReduce) F(Broadcast) F(Send) F(Recv) F(GroupStart) F(GroupEnd) F(GetVersion)

static struct {
  void *library;
#define MEMBER(f) __typeof__(nccl##f) *f;
  FUNCTIONS(MEMBER)
  struct {
    ncclComm_t comm[GRID_NSETS]; /* NULL: a set of one process, or the same set as ALL */
    uint64_t *scratch;           /* device memory for gathered words */
    bool broken;
  } state; /* while the transport is open */
} nccl;

static bool load(char *text, size_t capacity) {
  static const char *const at[] = {"libnccl.so.2", GRID_NCCL_LIBRARY};
  for (size_t k = 0; k < 2 && !nccl.library; k++) nccl.library = dlopen(at[k], RTLD_NOW | RTLD_LOCAL);
  if (!nccl.library) {
    snprintf(text, capacity, "messages go through host memory: NCCL is missing");
    return false;
  }
#define FIND(f)   *(void **)&nccl.f = dlsym(nccl.library, "nccl" #f);
  FUNCTIONS(FIND)
#define HAVE(f)   &&nccl.f
  int version = 0;
  if (true FUNCTIONS(HAVE) && nccl.GetVersion(&version) == ncclSuccess && version >= 21800) return true;
  snprintf(text, capacity, "messages go through host memory: this NCCL (%d) is older than 2.18", version);
  return false;
}

/* ---- communicators ---- */

/* Words of scratch; a bitwise or is done in slices of SCRATCH / processes. */
static const size_t SCRATCH = (size_t)1 << 19;

static ncclComm_t comm_of(grid_set set) {
  return nccl.state.comm[grid_set_size(set) == grid_ctx.P ? GRID_SET_ALL : set];
}

static GrB_Info check(ncclResult_t r, const char *call) {
  if (r == ncclSuccess) return GrB_SUCCESS;
  return grid_fail(NULL, GrB_PANIC, "%s failed: %s", call, nccl.GetErrorString(r));
}

static void abort_all(void) {
  nccl.state.broken = true;
  for (int t = 0; t < GRID_NSETS; t++) {
    if (nccl.state.comm[t]) nccl.CommAbort(nccl.state.comm[t]);
    nccl.state.comm[t] = NULL;
  }
}

/* Called while the host waits for the device: otherwise a wait for a terminated process would not end. */
static GrB_Info check_progress(void) {
  if (nccl.state.broken) return GrB_PANIC;
  GrB_Info info = grid_window_check_peers();
  if (info != GrB_SUCCESS) {
    abort_all();
    return info;
  }
  for (int s = 0; s < GRID_NSETS; s++) {
    ncclResult_t state = ncclSuccess;
    if (!nccl.state.comm[s]) continue;
    ncclResult_t r = nccl.CommGetAsyncError(nccl.state.comm[s], &state);
    if (r == ncclSuccess) r = state;
    if (r == ncclSuccess || r == ncclInProgress) continue;
    abort_all();
    grid_cuda->windows->stop();
    return grid_fail(
        NULL, GrB_PANIC,
        "NCCL: %s; a process of the grid is gone or its GPU has failed, and no more messages can "
        "be sent",
        nccl.GetErrorString(r));
  }
  return GrB_SUCCESS;
}

/* A hash of the UUID of this process's GPU, equal for all processes that use the GPU. */
static GrB_Info gpu_number(uint64_t *number) {
  int device;
  struct cudaDeviceProp p;
  cudaError_t e = cudaGetDevice(&device);
  if (e == cudaSuccess) e = cudaGetDeviceProperties(&p, device);
  if (e != cudaSuccess)
    return grid_fail(NULL, GrB_PANIC, "asking for the GPU's number failed: %s", cudaGetErrorString(e));
  *number = UINT64_C(0xcbf29ce484222325);
  for (size_t b = 0; b < sizeof p.uuid; b++)
    *number = (*number ^ ((const unsigned char *)&p.uuid)[b]) * UINT64_C(0x100000001b3);
  return GrB_SUCCESS;
}

/* Gathers whether each process has loaded NCCL, and its GPU. *usable: all have, each on a GPU of its own. */
static GrB_Info compare_processes(bool loaded, char *text, size_t capacity, bool *usable) {
  size_t P = (size_t)grid_ctx.P;
  uint64_t local[2] = {loaded, 0}, *all = NULL;
  GrB_Info info = gpu_number(&local[1]);
  *usable = true;
  if (info == GrB_SUCCESS && !(all = grid_malloc(2 * P, sizeof *all)))
    info = grid_fail_memory(NULL, "the processes' GPUs", 2 * P, sizeof *all);
  TRY(grid_agree(NULL, info));
  TRY(grid_ctx.transport->allgather(GRID_SET_ALL, local, sizeof local, all));
  for (size_t a = 0; a < P; a++) {
    if (!all[2 * a] && *usable && loaded)
      snprintf(text, capacity, "messages go through host memory: NCCL is missing on another machine");
    *usable = *usable && all[2 * a];
  }
  for (size_t a = 0; a < P; a++)
    for (size_t b = 0; b < a && *usable; b++)
      if (all[2 * a + 1] == all[2 * b + 1]) {
        snprintf(text, capacity,
                 "messages go through host memory: processes share a GPU, which NCCL refuses");
        *usable = false;
      }
done:
  grid_free(all);
  return info;
}

static GrB_Info make_communicators(void) {
  ncclUniqueId id;
  memset(&id, 0, sizeof id);
  GrB_Info info = GrB_SUCCESS;
  if (grid_ctx.k == 0) info = check(nccl.GetUniqueId(&id), "ncclGetUniqueId");
  TRY(grid_agree(NULL, info));
  TRY(grid_ctx.transport->bcast(GRID_SET_ALL, &id, sizeof id, 0));
  info = check(nccl.CommInitRank(&nccl.state.comm[GRID_SET_ALL], grid_ctx.P, id, grid_ctx.k),
               "ncclCommInitRank");
  TRY(grid_agree(NULL, info));
  if (grid_ctx.R > 1 && grid_ctx.C > 1) { /* otherwise each set is one process or all */
    info = check(nccl.CommSplit(nccl.state.comm[GRID_SET_ALL], grid_ctx.i, grid_ctx.j,
                                &nccl.state.comm[GRID_SET_ROW], NULL),
                 "ncclCommSplit");
    TRY(grid_agree(NULL, info));
    info = check(nccl.CommSplit(nccl.state.comm[GRID_SET_ALL], grid_ctx.j, grid_ctx.i,
                                &nccl.state.comm[GRID_SET_COL], NULL),
                 "ncclCommSplit");
    TRY(grid_agree(NULL, info));
  }
done:
  return info;
}

/* ---- messages ---- */

/* The other processes wait for a message until it arrives, so a process sends it after a local failure, too.
 */
static GrB_Info check_open(void) {
  return nccl.state.broken ? grid_fail(NULL, GrB_PANIC, "NCCL has failed before") : GrB_SUCCESS;
}

static GrB_Info nccl_allgather(grid_set set, const void *send, size_t bytes, void *recv) {
  if (grid_set_size(set) == 1) return send == recv ? GrB_SUCCESS : grid_device_copy(recv, send, bytes);
  GrB_Info info = check_open();
  if (info != GrB_SUCCESS || bytes == 0) return info;
  return check(nccl.AllGather(send, recv, bytes, ncclUint8, comm_of(set), grid_cuda_stream()),
               "ncclAllGather");
}

static GrB_Info nccl_exchange(grid_set set, const void *sendbuf, const size_t *sendbytes,
                              const size_t *sendoff, void *recvbuf, const size_t *recvbytes,
                              const size_t *recvoff) {
  const int S = grid_set_size(set), me = grid_set_rank(set);
  const GrB_Info copied =
      grid_device_copy((char *)recvbuf + recvoff[me], (const char *)sendbuf + sendoff[me], sendbytes[me]);
  if (S == 1) return copied;
  GrB_Info info = check_open();
  if (info == GrB_SUCCESS) info = check(nccl.GroupStart(), "ncclGroupStart");
  if (info != GrB_SUCCESS) return info;
  for (int d = 1; d < S; d++) {
    const int to = (me + d) % S, from = (me + S - d) % S;
    if (sendbytes[to] && info == GrB_SUCCESS)
      info = check(nccl.Send((const char *)sendbuf + sendoff[to], sendbytes[to], ncclUint8, to, comm_of(set),
                             grid_cuda_stream()),
                   "ncclSend");
    if (recvbytes[from] && info == GrB_SUCCESS)
      info = check(nccl.Recv((char *)recvbuf + recvoff[from], recvbytes[from], ncclUint8, from, comm_of(set),
                             grid_cuda_stream()),
                   "ncclRecv");
  }
  info = grid_first_failure(info, check(nccl.GroupEnd(), "ncclGroupEnd"));
  return grid_first_failure(copied, info);
}

/* NCCL has no bitwise or: all copies are gathered and combined here, in slices that fit the scratch. */
static GrB_Info or_words(grid_set set, uint64_t *v, size_t n) {
  const size_t S = (size_t)grid_set_size(set), slice = SCRATCH / S;
  GrB_Info info = GrB_SUCCESS;
  for (size_t at = 0; at < n; at += slice) {
    const size_t m = n - at < slice ? n - at : slice;
    info = grid_first_failure(info, nccl_allgather(set, v + at, 8 * m, nccl.state.scratch));
    if (info == GrB_SUCCESS) info = grid_cuda->or_words(v + at, nccl.state.scratch, m, S);
  }
  return info;
}

static GrB_Info nccl_allreduce(grid_set set, uint64_t *v, size_t n, grid_reduction op) {
  GrB_Info info = check_open();
  if (grid_set_size(set) == 1 || n == 0 || info != GrB_SUCCESS) return info;
  if (op == GRID_BOR) return or_words(set, v, n);
  const ncclRedOp_t how = op == GRID_SUM ? ncclSum : op == GRID_MAX ? ncclMax : ncclMin;
  return check(nccl.AllReduce(v, v, n, ncclUint64, how, comm_of(set), grid_cuda_stream()), "ncclAllReduce");
}

static GrB_Info nccl_bcast(grid_set set, void *buf, size_t bytes, int root) {
  GrB_Info info = check_open();
  if (grid_set_size(set) == 1 || bytes == 0 || info != GrB_SUCCESS) return info;
  return check(nccl.Broadcast(buf, buf, bytes, ncclUint8, root, comm_of(set), grid_cuda_stream()),
               "ncclBroadcast");
}

static GrB_Info nccl_begin(void) {
  GrB_Info info = check_open();
  return info != GrB_SUCCESS ? info : check(nccl.GroupStart(), "ncclGroupStart");
}
static GrB_Info nccl_end(void) {
  return check(nccl.GroupEnd(), "ncclGroupEnd");
}

/* ---- opening and closing ---- */

/* NCCL connects GPUs at the first message of each kind, which takes a tenth of a second or more. One word of
 * each kind is sent when the transport is opened, so that the first operation does not wait for it. */
static GrB_Info connect_all(void) {
  const size_t P = (size_t)grid_ctx.P, word = sizeof(uint64_t);
  size_t *sizes = grid_malloc(2 * P, sizeof *sizes), *offsets;
  uint64_t *v = nccl.state.scratch;
  GrB_Info info = sizes ? GrB_SUCCESS : grid_fail_memory(NULL, "message sizes", 2 * P, sizeof *sizes);
  TRY(grid_agree(NULL, info));
  offsets = sizes + P;
  for (size_t r = 0; r < P; r++) sizes[r] = word, offsets[r] = r * word;
  for (int set = 0; set < GRID_NSETS; set++) {
    const grid_set to = (grid_set)set;
    if (!nccl.state.comm[set]) continue;
    info = grid_first_failure(info, nccl_exchange(to, v, sizes, offsets, v + P, sizes, offsets));
    info = grid_first_failure(info, nccl_allgather(to, v, word, v + P));
    info = grid_first_failure(info, nccl_allreduce(to, v, 1, GRID_SUM));
    info = grid_first_failure(info, nccl_bcast(to, v, word, 0));
  }
  TRY(grid_agree(NULL, grid_first_failure(info, grid_device_wait())));
done:
  grid_free(sizes);
  return info;
}

static void nccl_close(void) {
  grid_device_watch(NULL);
  if (!nccl.state.broken) (void)grid_device_wait();
  for (int s = 0; s < GRID_NSETS; s++)
    if (nccl.state.comm[s]) nccl.CommDestroy(nccl.state.comm[s]);
  grid_device_free(nccl.state.scratch);
  memset(&nccl.state, 0, sizeof nccl.state);
}

static GrB_Info nccl_open(char *text, size_t capacity) {
  setenv("NCCL_NVLS_ENABLE", "0", 1); /* NVLink multicast can leave the machine's GPUs unusable */
  bool usable;
  GrB_Info info = compare_processes(load(text, capacity), text, capacity, &usable);
  if (info != GrB_SUCCESS) return info;
  if (!usable) return GrB_NOT_IMPLEMENTED;
  nccl.state.scratch = grid_device_malloc(SCRATCH, sizeof(uint64_t));
  if (!nccl.state.scratch) info = grid_device_fail_memory(NULL, "room for reductions", SCRATCH, 8);
  info = grid_agree(NULL, info);
  if (info == GrB_SUCCESS) info = make_communicators();
  if (info == GrB_SUCCESS) info = connect_all();
  if (info != GrB_SUCCESS)
    nccl_close();
  else
    grid_device_watch(check_progress);
  return info;
}

static const grid_device_transport nccl_row = {
    "NCCL", nccl_allgather, nccl_exchange, nccl_allreduce, nccl_bcast, nccl_begin, nccl_end,
};
const grid_nccl_row grid_nccl = {&nccl_row, nccl_open, nccl_close};
#endif
