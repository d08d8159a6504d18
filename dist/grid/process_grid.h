/* The process grid: identity of this process, and communication with the others. */
#ifndef GRID_PROCESS_GRID_H
#define GRID_PROCESS_GRID_H
#include "dist/comm/transport/transport.h"
#include "semiring/threads/api_lock.h"
#include "spmat/device/device.h"
#include "semiring/threads/context_section.h"

typedef struct {
  bool initialized; /* between GrB_init and GrB_finalize */
  bool blocking;
  int R, C;                   /* rows and columns of the grid */
  int i, j;                   /* this process's row and column */
  int P, k;                   /* number of processes; this process's rank and chunk number, k = j * R + i */
  int local_rank, local_size; /* rank among the processes of this machine, and their number */
  int threads;                /* OpenMP threads of this process */
  const grid_transport *transport;
} grid_context;
extern grid_context grid_default_ctx GRID_DECLARED_OF_CONTEXT;
#define grid_ctx GRID_IN_CONTEXT(grid_default_ctx)

static inline int grid_set_size(grid_set s) {
  return s == GRID_SET_ROW ? grid_ctx.C : s == GRID_SET_COL ? grid_ctx.R : grid_ctx.P;
}
static inline int grid_set_rank(grid_set s) {
  return s == GRID_SET_ROW ? grid_ctx.j : s == GRID_SET_COL ? grid_ctx.i : grid_ctx.k;
}

/* The outcome of a process that failed only because another did (dist/comm/comm_buffers.h). Any other
 * error has priority in an agreement, so that all processes report the cause. Never returned to a program. */
#define GRID_REMOTE_FAILURE ((GrB_Info)-30000)

/* agreement.c: every process gives its outcome, and all get the same one. It is the error of the
 * lowest-numbered process that has one, with its text (in grid_last_error and, if head is not NULL, in the
 * object). One process sends nothing. A public call that can fail on some processes agrees on its outcome
 * before it changes any output. Collective over the grid. */
GrB_Info grid_agree(grid_head *head, GrB_Info info);
/* The same, with n counters summed over the grid in the same message (n <= 15). */
GrB_Info grid_agree_sum(grid_head *head, GrB_Info info, uint64_t *v, size_t n);
/* The same where a step may return GRID_UNSUPPORTED (spmat/device/device.h): if one process does, all do,
 * unless some process has an error. */
GrB_Info grid_agree_supported(grid_head *head, GrB_Info info);
/* The same, and all must pass the same arguments (n <= 8), since other messages may depend on them. The error
 * GrB_INVALID_VALUE names the first that differs. */
typedef struct {
  const char *name;
  uint64_t value;
} grid_argument;
GrB_Info grid_agree_equal(grid_head *head, GrB_Info info, const grid_argument *x, size_t n, const char *call);
/* A text's value as such an argument: a hash, NULL: 0. */
uint64_t grid_text_value(const char *text);
/* grid_agree and, in the same message, an allgather of `bytes` bytes of each process. A process that failed
 * may pass NULL. */
GrB_Info grid_agree_gather(grid_head *head, GrB_Info info, const void *local, size_t bytes, void *all);
/* The first failure of two successive outcomes. A process that failed keeps taking part in messages until
 * the next agreement, since the others wait for them. */
static inline GrB_Info grid_first_failure(GrB_Info before, GrB_Info then) {
  return before != GrB_SUCCESS ? before : then;
}

/* The transport's exchange where all processes of the set know `longest`, the bytes of the longest segment
 * between two of them: through shared memory where that is faster. Collective over the set. */
GrB_Info grid_exchange_known(grid_set set, const void *sendbuf, size_t *sendbytes, const size_t *sendoff,
                             void *recvbuf, size_t *recvbytes, const size_t *recvoff, size_t longest);

/* Exchange over a set with sizes unknown to receivers. Sends segment r of sendbuf to process r, allocates
 * *recvbuf (grid_free it) and fills recvbytes and recvoff, arrays of the set's size. Collective over the set;
 * an allocation failure on one process is returned by all of the grid. */
GrB_Info grid_exchange_alloc(grid_set set, const void *sendbuf, const size_t *sendbytes,
                             const size_t *sendoff, void **recvbuf, size_t *recvbytes, size_t *recvoff);

/* Over all processes, in elements of `size` bytes: sends count[r] elements to process r; segments in
 * `send` are contiguous. *recv (grid_free it) gets the *n received elements, in the order of the senders.
 * Collective, agreed on. */
GrB_Info grid_exchange_elements(const void *send, const uint64_t *count, size_t size, void **recv,
                                uint64_t *n);
/* The same for several arrays at once, whose sizes are one message. An array with `owner` is freed when it
 * has been sent, before the next one is received, and *owner = NULL. */
enum { GRID_EXCHANGED_ARRAYS = 3 };
typedef struct {
  const void *send;
  const uint64_t *count;
  size_t size;
  void **owner; /* of `send`, or NULL */
  void *recv;   /* results */
  uint64_t n;
} grid_array_exchange;
GrB_Info grid_exchange_arrays(grid_array_exchange *x, size_t arrays);
/* Gathers every process's `count` elements on all processes, in process order. */
GrB_Info grid_gather_elements(const void *local, uint64_t count, size_t size, void **all);
/* The same into `all`, which has the capacity. */
GrB_Info grid_gather_into(const void *local, uint64_t count, size_t size, void *all);
/* The same where all processes know the count of each. */
GrB_Info grid_gather_known(const void *local, const uint64_t *count, size_t size, void *all);

/* select_device.c: turns the device on as GRIDBLAS_DEVICE says. Collective. */
GrB_Info grid_device_from_environment(void);

/* check_calls.c: GRIDBLAS_CHECK=calls. While grid_is_call_check_on, grid_check_initialized and
 * grid_check_single compare call names and fail on all processes where they differ. Start and end are
 * collective; the end waits for all processes, and fails if one made another call meanwhile. */
extern bool grid_default_is_call_check_on GRID_DECLARED_OF_CONTEXT;
#define grid_is_call_check_on GRID_IN_CONTEXT(grid_default_is_call_check_on)
GrB_Info grid_compare_start(void);
GrB_Info grid_compare_calls(const char *call);
GrB_Info grid_compare_end(void);
void grid_compare_stop(void);
/* check_messages.c: GRIDBLAS_CHECK=messages, or calls. Wraps the transport; stop restores it. compare_calls:
 * are the processes of the set, before a message, in the same call? NULL: their messages are compared. */
void grid_check_messages_start(GrB_Info (*compare_calls)(grid_set set));
void grid_check_messages_stop(void);

/* grid_init.c: starts the processes and their grid with Grid_init's arguments (error texts name that
 * call); the end. */
GrB_Info grid_start(int mode, const void *comm, int R, int C);
void grid_stop(void);
/* The calling thread has as many OpenMP threads as its context. */
void grid_apply_threads(void);

/* Do the context's calls wait for those of other contexts? With several processes they use MPI, which must
 * allow calls of several threads at once. */
bool grid_takes_turns(void);

/* One process that never had a device: a call about a single element touches its object alone, so threads
 * may make such calls at the same time (semiring/threads/api_lock.h). */
static inline bool grid_is_one_host_process(void) {
  return grid_ctx.P == 1 && !grid_device_is_open();
}

/* Number of collective calls so far, except those that only read single elements: an object is unchanged
 * between two calls that see the same count. The count itself is local, but whether two counts are equal
 * is the same on all processes. One process without a device does not use or update it. */
extern uint64_t grid_default_calls GRID_DECLARED_OF_CONTEXT;
#define grid_calls GRID_IN_CONTEXT(grid_default_calls)
/* Number of changes of single vector elements, which grid_calls does not count; same properties. */
extern uint64_t grid_default_singles GRID_DECLARED_OF_CONTEXT;
#define grid_singles GRID_IN_CONTEXT(grid_default_singles)

/* One process without a device counts no calls and has no lookahead. */
static inline bool grid_needs_no_check(void) {
  return grid_ctx.initialized && grid_is_one_host_process() && !grid_is_call_check_on;
}
/* What other runs check. */
GrB_Info grid_check_collective(const char *call);
GrB_Info grid_check_collective_single(const char *call);
/* The check at the start of every collective public call: is the library initialised? Ends a lookahead
 * (dist/lookahead/lookahead.h). */
static inline GrB_Info grid_check_initialized(const char *call) {
  return grid_needs_no_check() ? GrB_SUCCESS : grid_check_collective(call);
}
/* The same for a call about a single vector element, which grid_calls does not count. */
static inline GrB_Info grid_check_single(const char *call) {
  return grid_needs_no_check() ? GrB_SUCCESS : grid_check_collective_single(call);
}
/* The same for local calls, which a single process may make: the lookahead continues. */
GrB_Info grid_check_alive(const char *call);
/* The same, and checks an object. */
#define grid_check_local(object, call, what) grid_check_local_handle(object, GRID_KIND_OF(object), call, what)
GrB_Info grid_check_local_handle(const void *object, grid_kind kind, const char *call, const char *what);
#endif
