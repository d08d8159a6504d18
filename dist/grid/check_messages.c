/* GRIDBLAS_CHECK=messages, a debugging aid for changes of the library. Messages are collective over a set
 * of processes (except point-to-point segments), and the sequence must follow from values that all of them
 * share. If one process branches on a local value, messages of different kinds match and corrupt data
 * silently. So each message is preceded by an exchange of its description; where descriptions differ, the
 * program aborts and prints both.
 *
 * With GRIDBLAS_CHECK=calls the processes compare the call that they are in instead, and the message fails
 * where they differ (check_calls.c). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dist/comm/mpi/mpi_calls.h"
#include "dist/grid/process_grid.h"
#include "semiring/threads/context_section.h"

typedef enum {
  ALLREDUCE,
  ALLREDUCE_WITH,
  BCAST,
  ALLGATHER,
  EXCHANGE_LONG,
  SHARED_BUFFER,
  BARRIER,
  GATHER_LONG,
  ALLTOALLV_NOCOUNTS,
  KINDS
} kind;
static const char *const kind_name[KINDS] = {"allreduce", "allreduce_with", "bcast",
                                             "allgather", "exchange_long",  "shared_buffer",
                                             "barrier",   "gather_long",    "alltoallv_nocounts"};

static struct {
  const grid_transport *inner; /* NULL: the check is off */
  /* NULL: messages are compared, not the calls that they are of */
  GrB_Info (*compare_calls)(grid_set set);
  grid_transport checked;
  uint64_t number[GRID_NSETS];
} default_messages GRID_OF_CONTEXT;
#define messages GRID_IN_CONTEXT(default_messages)

/* A message's description, which must agree: sequence number, kind and two parameters. */
enum { NUMBER, KIND, FIRST, SECOND, WORDS };

_Noreturn static void abort_mismatch(grid_set set, const char *what) {
  fprintf(stderr, "gridblas: GRIDBLAS_CHECK=messages: process %d, set %d, message %" PRIu64 ": %s\n",
          grid_ctx.k, (int)set, messages.number[set], what);
  fflush(NULL);
  MPI_Abort(MPI_COMM_WORLD, 1);
  abort();
}

/* The words of all processes of the set; the caller frees them. */
static uint64_t *gather(grid_set set, const uint64_t *local, size_t n) {
  uint64_t *all = malloc((size_t)grid_set_size(set) * n * sizeof *all + 1);
  if (!all) abort_mismatch(set, "no memory for the comparison");
  if (messages.inner->allgather(set, local, n * sizeof *local, all) != GrB_SUCCESS)
    abort_mismatch(set, grid_last_error());
  return all;
}

static GrB_Info compare(grid_set set, kind what, uint64_t first, uint64_t second) {
  if (messages.compare_calls) return grid_is_call_check_on ? messages.compare_calls(set) : GrB_SUCCESS;
  const uint64_t local[WORDS] = {++messages.number[set], what, first, second};
  uint64_t *all = gather(set, local, WORDS);
  for (size_t r = 0; r < (size_t)grid_set_size(set); r++) {
    const uint64_t *x = all + r * WORDS;
    char text[256];
    if (memcmp(x, local, sizeof local) == 0) continue;
    snprintf(text, sizeof text,
             "%s (%" PRIu64 ", %" PRIu64 ") on this process, but rank %zu of the set has message %" PRIu64
             ", %s (%" PRIu64 ", %" PRIu64 ")",
             kind_name[what], first, second, r, x[NUMBER], x[KIND] < KINDS ? kind_name[x[KIND]] : "?",
             x[FIRST], x[SECOND]);
    abort_mismatch(set, text);
  }
  free(all);
  return GrB_SUCCESS;
}

/* Segments are point to point: a pair without a segment exchanges nothing (staged_exchange). */
static void compare_segments(grid_set set, const size_t *sent, const size_t *expected) {
  if (messages.compare_calls) return;
  const size_t S = (size_t)grid_set_size(set), me = (size_t)grid_set_rank(set), word = sizeof(size_t);
  size_t *w = calloc(4 * S, sizeof *w);
  if (!w) abort_mismatch(set, "no memory for the comparison");
  size_t *out = w, *at = w + S, *in = w + 2 * S, *got = w + 3 * S;
  for (size_t r = 0; r < S; r++) {
    if (r != me && sent[r]) out[r] = word;
    if (r != me && expected[r]) in[r] = word;
    at[r] = r * word;
  }
  if (messages.inner->exchange(set, sent, out, at, got, in, at) != GrB_SUCCESS)
    abort_mismatch(set, grid_last_error());
  for (size_t r = 0; r < S; r++) {
    char text[160];
    if (!in[r] || got[r] == expected[r]) continue;
    snprintf(text, sizeof text, "rank %zu of the set sends %zu bytes, but %zu are expected", r, got[r],
             expected[r]);
    abort_mismatch(set, text);
  }
  free(w);
}

static uint64_t hash_sizes(const size_t *bytes, size_t n) {
  uint64_t h = n;
  for (size_t r = 0; r < n; r++) h = (h ^ bytes[r]) * UINT64_C(0x9e3779b97f4a7c15) ^ h >> 29;
  return h;
}

/* ---- checked versions of the transport's functions ---- */

static GrB_Info checked_allreduce(grid_set set, uint64_t *v, size_t n, grid_reduction op) {
  const GrB_Info info = compare(set, ALLREDUCE, n, op);
  return info != GrB_SUCCESS ? info : messages.inner->allreduce(set, v, n, op);
}

static GrB_Info checked_allreduce_with(grid_set set, void *buf, size_t bytes, grid_combine_fn f,
                                       void *context) {
  const GrB_Info info = compare(set, ALLREDUCE_WITH, bytes, 0);
  return info != GrB_SUCCESS ? info : messages.inner->allreduce_with(set, buf, bytes, f, context);
}

static GrB_Info checked_bcast(grid_set set, void *buf, size_t bytes, int root) {
  const GrB_Info info = compare(set, BCAST, bytes, (uint64_t)root);
  return info != GrB_SUCCESS ? info : messages.inner->bcast(set, buf, bytes, root);
}

static GrB_Info checked_allgather(grid_set set, const void *send, size_t bytes, void *recv) {
  const GrB_Info info = compare(set, ALLGATHER, bytes, 0);
  return info != GrB_SUCCESS ? info : messages.inner->allgather(set, send, bytes, recv);
}

static GrB_Info checked_exchange(grid_set set, const void *sendbuf, const size_t *sendbytes,
                                 const size_t *sendoff, void *recvbuf, const size_t *recvbytes,
                                 const size_t *recvoff) {
  compare_segments(set, sendbytes, recvbytes);
  return messages.inner->exchange(set, sendbuf, sendbytes, sendoff, recvbuf, recvbytes, recvoff);
}

static GrB_Info checked_exchange_long(grid_set set, const void *sendbuf, const size_t *sendbytes,
                                      const size_t *sendoff, void *recvbuf, const size_t *recvbytes,
                                      const size_t *recvoff, size_t longest) {
  const GrB_Info info = compare(set, EXCHANGE_LONG, longest, 0);
  compare_segments(set, sendbytes, recvbytes);
  return info != GrB_SUCCESS ? info
                             : messages.inner->exchange_long(set, sendbuf, sendbytes, sendoff, recvbuf,
                                                             recvbytes, recvoff, longest);
}

static char *checked_shared_buffer(grid_set set, size_t bytes) {
  if (!messages.compare_calls) (void)compare(set, SHARED_BUFFER, bytes, 0);
  return messages.inner->shared_buffer(set, bytes);
}

static void checked_barrier(grid_set set) {
  if (!messages.compare_calls) (void)compare(set, BARRIER, 0, 0);
  messages.inner->barrier(set);
}

static bool checked_gather_long(const void *local, const size_t *bytes, const size_t *off, void *all) {
  if (!messages.compare_calls)
    (void)compare(GRID_SET_ALL, GATHER_LONG, hash_sizes(bytes, (size_t)grid_ctx.P), 0);
  return messages.inner->gather_long(local, bytes, off, all);
}

static GrB_Info checked_alltoallv_nocounts(grid_set set, const void *sendbuf, const size_t *sendbytes,
                                           const size_t *sendoff, grid_recv_buffer *in) {
  const GrB_Info info = compare(set, ALLTOALLV_NOCOUNTS, in->head, 0);
  return info != GrB_SUCCESS ? info
                             : messages.inner->alltoallv_nocounts(set, sendbuf, sendbytes, sendoff, in);
}

/* ---- start and stop ---- */

void grid_check_messages_start(GrB_Info (*compare_calls)(grid_set set)) {
  const grid_transport *inner = grid_ctx.transport;
  if (messages.inner || grid_ctx.P == 1) return;
  messages.inner = inner;
  messages.checked = (grid_transport){
      .name = inner->name,
      .allreduce = checked_allreduce,
      .allreduce_with = checked_allreduce_with,
      .bcast = checked_bcast,
      .allgather = checked_allgather,
      .exchange = checked_exchange,
      .exchange_long = inner->exchange_long ? checked_exchange_long : NULL,
      .shared_buffer = inner->shared_buffer ? checked_shared_buffer : NULL,
      .barrier = inner->barrier ? checked_barrier : NULL,
      .gather_long = inner->gather_long ? checked_gather_long : NULL,
      .alltoallv_nocounts = checked_alltoallv_nocounts,
  };
  memset(messages.number, 0, sizeof messages.number);
  messages.compare_calls = compare_calls;
  grid_ctx.transport = &messages.checked;
}

void grid_check_messages_stop(void) {
  if (messages.inner) grid_ctx.transport = messages.inner;
  messages.inner = NULL;
}
