/* See cpu_time.h. */
#include "dist/grid/cpu_time.h"
#include "semiring/threads/context_section.h"

#include <time.h>

static struct {
  const grid_transport *real; /* NULL: not measured yet */
  grid_transport timed;
  double seconds, since;
} default_cpu_time GRID_OF_CONTEXT;
#define cpu_time GRID_IN_CONTEXT(default_cpu_time)

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void begin(void) {
  cpu_time.seconds += now() - cpu_time.since;
}
static GrB_Info stop_timer(GrB_Info info) {
  cpu_time.since = now();
  return info;
}

static GrB_Info timed_allreduce(grid_set set, uint64_t *v, size_t n, grid_reduction op) {
  begin();
  return stop_timer(cpu_time.real->allreduce(set, v, n, op));
}

static GrB_Info timed_allreduce_with(grid_set set, void *buf, size_t bytes, grid_combine_fn f,
                                     void *context) {
  begin();
  return stop_timer(cpu_time.real->allreduce_with(set, buf, bytes, f, context));
}

static GrB_Info timed_bcast(grid_set set, void *buf, size_t bytes, int root) {
  begin();
  return stop_timer(cpu_time.real->bcast(set, buf, bytes, root));
}

static GrB_Info timed_allgather(grid_set set, const void *send, size_t bytes, void *recv) {
  begin();
  return stop_timer(cpu_time.real->allgather(set, send, bytes, recv));
}

static GrB_Info timed_exchange(grid_set set, const void *sendbuf, const size_t *sendbytes,
                               const size_t *sendoff, void *recvbuf, const size_t *recvbytes,
                               const size_t *recvoff) {
  begin();
  return stop_timer(cpu_time.real->exchange(set, sendbuf, sendbytes, sendoff, recvbuf, recvbytes, recvoff));
}

static GrB_Info timed_exchange_long(grid_set set, const void *sendbuf, const size_t *sendbytes,
                                    const size_t *sendoff, void *recvbuf, const size_t *recvbytes,
                                    const size_t *recvoff, size_t longest) {
  begin();
  return stop_timer(
      cpu_time.real->exchange_long(set, sendbuf, sendbytes, sendoff, recvbuf, recvbytes, recvoff, longest));
}

static void timed_barrier(grid_set set) {
  begin();
  cpu_time.real->barrier(set);
  stop_timer(GrB_SUCCESS);
}

static bool timed_gather_long(const void *local, const size_t *bytes, const size_t *off, void *all) {
  begin();
  const bool done = cpu_time.real->gather_long(local, bytes, off, all);
  stop_timer(GrB_SUCCESS);
  return done;
}

static GrB_Info timed_alltoallv_nocounts(grid_set set, const void *sendbuf, const size_t *sendbytes,
                                         const size_t *sendoff, grid_recv_buffer *in) {
  begin();
  return stop_timer(cpu_time.real->alltoallv_nocounts(set, sendbuf, sendbytes, sendoff, in));
}

static void start_timer(void) {
  const grid_transport *real = cpu_time.real = grid_ctx.transport;
  cpu_time.timed = (grid_transport){
      .name = real->name,
      .allreduce = timed_allreduce,
      .allreduce_with = timed_allreduce_with,
      .bcast = timed_bcast,
      .allgather = timed_allgather,
      .exchange = timed_exchange,
      .exchange_long = real->exchange_long ? timed_exchange_long : NULL,
      .shared_buffer = real->shared_buffer, /* no message */
      .barrier = real->barrier ? timed_barrier : NULL,
      .gather_long = real->gather_long ? timed_gather_long : NULL,
      .alltoallv_nocounts = timed_alltoallv_nocounts,
  };
  cpu_time.seconds = 0;
  cpu_time.since = now();
  grid_ctx.transport = &cpu_time.timed;
}

double grid_cpu_time(void) {
  if (!cpu_time.real && grid_ctx.P > 1) start_timer();
  return cpu_time.seconds;
}

void grid_cpu_time_restart(void) {
  cpu_time.since = now();
}

void grid_cpu_time_stop(void) {
  if (cpu_time.real) grid_ctx.transport = cpu_time.real;
  cpu_time.real = NULL;
}

double Grid_cpu_time(void) {
  const double until_message = grid_cpu_time();
  return until_message + (cpu_time.real ? now() - cpu_time.since : 0);
}
