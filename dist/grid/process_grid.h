/* The process grid: who this process is, and how it talks to the others. */
#ifndef GRID_PROCESS_GRID_H
#define GRID_PROCESS_GRID_H
#include "dist/comm/transport/transport.h"
#include "semiring/support/api_lock.h"
#include "spmat/device/device.h"

typedef struct {
  bool initialized; /* between GrB_init and GrB_finalize */
  bool blocking;
  int R, C; /* rows and columns of the grid */
  int i, j; /* this process's row and column */
  int P, k; /* number of processes; this one's chunk number k = j * R + i, its rank in GRID_SET_ALL */
  int local_rank, local_size; /* number among the processes on this machine, which are so many */
  int threads;                /* OpenMP threads of this process */
  const grid_transport *transport;
} grid_context;
extern grid_context grid_ctx;

static inline int grid_set_size(grid_set s) {
  return s == GRID_SET_ROW ? grid_ctx.C : s == GRID_SET_COL ? grid_ctx.R : grid_ctx.P;
}
static inline int grid_set_rank(grid_set s) {
  return s == GRID_SET_ROW ? grid_ctx.j : s == GRID_SET_COL ? grid_ctx.i : grid_ctx.k;
}

/* The outcome of a process that has only heard of another's failure (dist/comm/comm_buffers.h): any other error goes
 * before it in an agreement, so that the cause is what all get to know. Never returned to a program. */
#define GRID_REMOTE_FAILURE ((GrB_Info)-30000)

/* Agreement: collective over the grid. Every process gives its own outcome and gets the same one back: the
 * error of the lowest-numbered process that has one, with its text (into grid_last_error and, if head is not
 * NULL, into the object). One process sends nothing. Every public call that can fail on some processes only
 * passes its outcome through here before it touches its outputs. */
GrB_Info grid_agree(grid_head *head, GrB_Info info);
/* The same, packed with n counters that are summed over the grid (one message). */
GrB_Info grid_agree_sum(grid_head *head, GrB_Info info, uint64_t *v, size_t n);
/* The same where a step may answer GRID_UNSUPPORTED (spmat/device/device.h): what some process cannot do here
 * none does; an error is everybody's. */
GrB_Info grid_agree_supported(grid_head *head, GrB_Info info);
/* Of two outcomes in a row: what fails on one process alone keeps it from no messages, since the others wait
 * for them, until all agree. */
static inline GrB_Info grid_first_failure(GrB_Info before, GrB_Info then) {
  return before != GrB_SUCCESS ? before : then;
}

/* Variable-size exchange over a set: sends segment r of sendbuf to process r, learns the sizes, allocates
 * *recvbuf (grid_free it) and fills recvbytes/recvoff (arrays of the set's size, given by the caller).
 * Collective; an allocation failure on one process is returned by all. */
GrB_Info grid_exchange_alloc(grid_set set, const void *sendbuf, const size_t *sendbytes,
                             const size_t *sendoff, void **recvbuf, size_t *recvbytes, size_t *recvoff);

/* Over all processes, in elements of `size` bytes: count[r] of them, one segment behind the other, go to
 * process r. *recv (grid_free it) has the *n that came, in the order of the senders. Collective, agreed
 * on. */
GrB_Info grid_exchange_elements(const void *send, const uint64_t *count, size_t size, void **recv,
                                uint64_t *n);
/* Every process's `count` elements to everybody, in the order of the processes. */
GrB_Info grid_gather_elements(const void *mine, uint64_t count, size_t size, void **all);
/* The same into `all`, which has room for them. */
GrB_Info grid_gather_into(const void *mine, uint64_t count, size_t size, void *all);

/* device.c: what GRIDBLAS_DEVICE asks for. Collective. */
GrB_Info grid_device_from_environment(void);

/* check_calls.c: does GRIDBLAS_CHECK=calls want calls compared? Then grid_check_initialized and grid_check_single
 * do, and fail on all processes where they differ. Start is collective, and so is the end, where the library
 * waits until all are there; it fails if a process made another call meanwhile. */
extern bool grid_is_call_check_on;
GrB_Info grid_compare_start(void);
GrB_Info grid_compare_calls(const char *call);
GrB_Info grid_compare_end(void);
void grid_compare_stop(void);
/* check_messages.c: GRIDBLAS_CHECK=messages. From here on; until the processes part. */
void grid_check_messages_start(void);
void grid_check_messages_stop(void);

/* grid_init.c: the processes and their grid, as Grid_init asks for them (its texts name that call); the end. */
GrB_Info grid_start(int mode, const void *comm, int R, int C);
void grid_stop(void);

/* One process that has never had a device: a call about a single element touches its object alone, so that
 * threads make such calls at the same time (semiring/support/api_lock.h). */
static inline bool grid_is_one_host_process(void) {
  return grid_ctx.P == 1 && !grid_device_is_open();
}

/* How many calls that are not local have begun, but for those that only read single numbers of an object:
 * between two that see the same count nothing has changed. Counts are this process's own; whether two are
 * the same is so on all. One process without a device has no use for it and does not count. */
extern uint64_t grid_calls;
/* How often single elements of a vector were changed, which grid_calls does not count; the same. */
extern uint64_t grid_singles;

/* The check at the head of every public call: is the library initialised? It ends a loop in lookahead
 * (dist/lookahead/lookahead.h). */
GrB_Info grid_check_initialized(const char *call);
/* ... of a call about a single element of a vector, which grid_calls does not count. */
GrB_Info grid_check_single(const char *call);
/* The same for local calls, which one process may make alone: the loop goes on. */
GrB_Info grid_check_alive(const char *call);
/* ... of an object. */
GrB_Info grid_check_local(const void *object, const char *call, const char *what);
#endif
