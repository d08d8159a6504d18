/* Opens windows: every process allocates its own, sends the name of it, and opens the others'. */
#include "dist/comm/peer_windows.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "dist/comm/transport/shm/shm_mailbox.h"
#include "dist/grid/process_grid.h"
#include "semiring/support/tuning.h"
#include "spmat/backend.h"
#include "spmat/device/device.h"

static struct {
  uint64_t bytes;      /* of a window; 0: there are none */
  uint64_t recv_bytes; /* bytes of a receive buffer, also in the next windows */
  bool no_buffers;     /* the last attempt at larger buffers lacked memory */
  uint32_t retries;    /* attempts skipped since */
  void *at[GRID_WINDOWS], *extra_space[GRID_WINDOWS]; /* extra_space: behind the barriers' memory */
  uint32_t turn[GRID_NSETS];                          /* number of each set's last barrier */
  double woken;                                       /* when the links were woken last */
} default_opened GRID_OF_CONTEXT;                     /* only the default context has some */
#define opened GRID_IN_CONTEXT(default_opened)

/* A link that has been used sleeps for the first time after this or later: on H200s after some time between
 * 10 and 100 ms (docs/measurements/several-gpus.md). */
static const double AWAKE_SECONDS = 0.01;

/* ---- barriers: flags, then slots, then arrival flags, then receive buffers ---- */

enum { FLAG_COUNT = 2 * GRID_NSETS * GRID_WINDOWS };

/* The set ALL where `set` has all processes. */
static grid_set normalize_set(grid_set set) {
  return grid_set_size(set) == grid_ctx.P ? GRID_SET_ALL : set;
}

/* Slots of the sets before this one. */
static uint64_t slots_before(grid_set set) {
  uint64_t slots = 0;
  for (int s = 0; s < (int)set; s++) {
    const int S = grid_set_size((grid_set)s);
    if (S > 1 && normalize_set((grid_set)s) == (grid_set)s) slots += 2 * (uint64_t)S;
  }
  return slots;
}

static uint64_t arrivals_offset(int set) {
  return FLAG_COUNT * sizeof(uint64_t) + slots_before(GRID_NSETS) * GRID_SLOT_BYTES +
         (uint64_t)set * GRID_WINDOWS * GRID_ARRIVAL_FLAGS * sizeof(uint32_t);
}

static uint64_t recv_buffers_offset(void) {
  return arrivals_offset(GRID_NSETS);
}

/* Bytes of a window before the extra space, which a search uses. */
static uint64_t barrier_bytes(void) {
  return recv_buffers_offset() + (uint64_t)(grid_ctx.P - 1) * opened.recv_bytes;
}

/* Process number of the rank in a set. */
static int process_rank(grid_set set, int rank) {
  if (grid_set_size(set) == grid_ctx.P) return rank;
  return set == GRID_SET_ROW ? rank * grid_ctx.R + grid_ctx.i : grid_ctx.j * grid_ctx.R + rank;
}

bool grid_window_barrier(grid_device_barrier *m, grid_set set, uint32_t turns) {
  const int S = grid_set_size(set);
  uint32_t *last = &opened.turn[normalize_set(set)];
  if (!opened.bytes || S == 1) return false;
  if (*last > UINT32_MAX - turns) *last &= 1; /* keeps the parity; turn 0 is never used */
  *m = (grid_device_barrier){.turn = *last + 1, .size = (uint32_t)S, .rank = (uint32_t)grid_set_rank(set)};
  *last += turns;
  m->arrivals = arrivals_offset((int)normalize_set(set));
  m->recv_buffers = recv_buffers_offset(), m->recv_bytes = opened.recv_bytes;
  for (int r = 0; r < S; r++) m->window[r] = opened.at[process_rank(set, r)];
  for (int half = 0; half < 2; half++) {
    m->flags[half] = ((uint64_t)normalize_set(set) * 2 + (uint64_t)half) * GRID_WINDOWS * sizeof(uint64_t);
    m->slots[half] = FLAG_COUNT * sizeof(uint64_t) +
                     (slots_before(normalize_set(set)) + (uint64_t)half * (uint64_t)S) * GRID_SLOT_BYTES;
  }
  return true;
}

/* ---- opening ------------------------------------------------------------------------------------------- */

/* No process frees its window before the others have closed it, nor closes one that its GPU may still
 * access. */
static GrB_Info close_all(void) {
  (void)grid_device_wait();
  for (int p = 0; p < grid_ctx.P && opened.bytes; p++)
    if (p != grid_ctx.k && opened.at[p]) grid_cuda->windows->close(opened.at[p]);
  GrB_Info info = grid_agree(NULL, GrB_SUCCESS);
  if (opened.at[grid_ctx.k]) grid_cuda->windows->free(opened.at[grid_ctx.k]);
  opened.bytes = 0; /* turns continue, so that no flag of an earlier window matches */
  memset(opened.at, 0, sizeof opened.at);
  return info;
}

static GrB_Info open_peer_windows(const grid_window_name *name) {
  GrB_Info info = GrB_SUCCESS;
  for (int p = 0; p < grid_ctx.P && info == GrB_SUCCESS; p++)
    if (p != grid_ctx.k) info = grid_cuda->windows->open(&opened.at[p], &name[p]);
  return info;
}

/* Requires that no windows are open; after a failure none are. */
static GrB_Info open_windows(uint64_t bytes) {
  grid_window_name local_name, name[GRID_WINDOWS];
  GrB_Info info = GrB_SUCCESS;
  if (grid_ctx.k == 0) grid_mailbox_set_number(0);
  info = grid_cuda->windows->make(&opened.at[grid_ctx.k], barrier_bytes() + bytes, &local_name);
  opened.bytes = bytes;
  info = grid_agree_supported(NULL, info == GrB_OUT_OF_MEMORY ? GRID_UNSUPPORTED : info);
  TRY(info);
  TRY(grid_ctx.transport->allgather(GRID_SET_ALL, &local_name, sizeof local_name, name));
  TRY(grid_agree_supported(NULL, open_peer_windows(name)));
  for (int p = 0; p < grid_ctx.P; p++) opened.extra_space[p] = (char *)opened.at[p] + barrier_bytes();
done:
  if (info != GrB_SUCCESS) (void)close_all();
  return info;
}

static void disable_buffers(uint64_t recv_bytes) {
  opened.recv_bytes = recv_bytes, opened.no_buffers = true, opened.retries = 0;
}

GrB_Info grid_window_grow(uint64_t bytes) {
  GrB_Info info = GrB_SUCCESS;
  if (bytes <= opened.bytes) return info;
  if (opened.bytes) TRY(close_all());
  info = open_windows(bytes);
  if (info == GRID_UNSUPPORTED && opened.recv_bytes) { /* windows without receive buffers are better than
                                                        * none */
    disable_buffers(0);
    info = open_windows(bytes);
  }
done:
  return info;
}

GrB_Info grid_window_reserve_buffers(uint64_t bytes, bool *reserved) {
  enum { RETRIES = 256 }; /* memory may have been freed; a try costs a message */
  const uint64_t extra_space = opened.bytes, before = opened.recv_bytes;
  GrB_Info info = GrB_SUCCESS;
  *reserved = extra_space && bytes <= before;
  if (*reserved || !extra_space || bytes > GRID_RECV_BUFFER_MAX) return info;
  if (opened.no_buffers && ++opened.retries % RETRIES) return info;
  /* buffers stay until memory runs short, so they take a quarter of the free memory at most; vectors and
   * blocks need the rest */
  uint64_t no = (uint64_t)(grid_ctx.P - 1) * bytes > grid_device_free_bytes() / 4;
  TRY(grid_ctx.transport->allreduce(GRID_SET_ALL, &no, 1, GRID_MAX));
  opened.no_buffers = no > 0;
  if (no) return info;
  TRY(close_all());
  opened.recv_bytes = bytes;
  info = open_windows(extra_space);
  *reserved = info == GrB_SUCCESS;
  if (info != GRID_UNSUPPORTED) return info;
  disable_buffers(before);
  info = open_windows(extra_space);
done:
  return info == GRID_UNSUPPORTED ? GrB_SUCCESS : info;
}

GrB_Info grid_window_release_buffers(void) {
  const uint64_t extra_space = opened.bytes;
  GrB_Info info = GrB_SUCCESS;
  if (!extra_space || !opened.recv_bytes) return info;
  TRY(close_all());
  disable_buffers(0);
  info = open_windows(extra_space);
done:
  return info == GRID_UNSUPPORTED ? GrB_SUCCESS : info;
}

GrB_Info grid_window_open(void) {
  uint64_t no = !grid_tune.peer || grid_ctx.local_size != grid_ctx.P;
  if (grid_ctx.P > GRID_WINDOWS) return GrB_SUCCESS;
  GrB_Info info = grid_ctx.transport->allreduce(GRID_SET_ALL, &no, 1, GRID_MAX);
  if (info == GrB_SUCCESS && !no) info = grid_window_grow(GRID_WINDOW_MIN);
  return info == GRID_UNSUPPORTED ? GrB_SUCCESS : info;
}

GrB_Info grid_window_barrier_agree(grid_head *head, GrB_Info info) {
  info = grid_agree(head, info);
  if (info == GrB_SUCCESS) return info;
  if (opened.bytes) grid_cuda->windows->stop();
  grid_window_close();
  return info;
}

/* A failed GPU sends nothing, and its process cannot reach the other GPUs. So the hosts signal through the
 * shm mailbox, whose number is that of a process whose GPU has failed, plus 1. */
GrB_Info grid_window_check_peers(void) {
  GRID_WORKER_SCOPE(0);
  const uint64_t failed = opened.bytes ? grid_mailbox_number() : 0;
  if (!failed) return GrB_SUCCESS;
  grid_cuda->windows->stop();
  return grid_fail(NULL, GrB_PANIC,
                   "the GPU of process %llu has failed, on this machine; its messages are lost, and "
                   "Grid_last_error of that process has the reason",
                   (unsigned long long)failed - 1);
}

void grid_window_report_failure(void) {
  GRID_WORKER_SCOPE(0);
  if (opened.bytes) grid_mailbox_set_number((uint64_t)grid_ctx.k + 1);
}

void *const *grid_window_addresses(void) {
  return opened.bytes ? opened.extra_space : NULL;
}

GrB_Info grid_window_warm_up(bool wait) {
  if (!opened.bytes) return GrB_SUCCESS;
  const double now = omp_get_wtime();
  if (now - opened.woken < AWAKE_SECONDS) return GrB_SUCCESS;
  opened.woken = now;
  return grid_cuda->windows->wake(opened.at, grid_ctx.P, wait);
}

void grid_window_close(void) {
  if (opened.bytes) (void)close_all();
}
