/* worked.c: see worked.h. */
#include "dist/grid/worked.h"

#include <time.h>

static struct {
  const grid_transport *real; /* NULL: nobody has asked */
  grid_transport timed;
  double seconds, since;
} worked;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void begin(void) {
  worked.seconds += now() - worked.since;
}
static GrB_Info end(GrB_Info info) {
  worked.since = now();
  return info;
}

static GrB_Info timed_allreduce(grid_set set, uint64_t *v, size_t n, grid_reduction op) {
  begin();
  return end(worked.real->allreduce(set, v, n, op));
}

static GrB_Info timed_allreduce_with(grid_set set, void *buf, size_t bytes, grid_combine_fn f,
                                     void *context) {
  begin();
  return end(worked.real->allreduce_with(set, buf, bytes, f, context));
}

static GrB_Info timed_bcast(grid_set set, void *buf, size_t bytes, int root) {
  begin();
  return end(worked.real->bcast(set, buf, bytes, root));
}

static GrB_Info timed_allgather(grid_set set, const void *send, size_t bytes, void *recv) {
  begin();
  return end(worked.real->allgather(set, send, bytes, recv));
}

static GrB_Info timed_exchange(grid_set set, const void *sendbuf, const size_t *sendbytes,
                               const size_t *sendoff, void *recvbuf, const size_t *recvbytes,
                               const size_t *recvoff) {
  begin();
  return end(worked.real->exchange(set, sendbuf, sendbytes, sendoff, recvbuf, recvbytes, recvoff));
}

static GrB_Info timed_exchange_long(const void *sendbuf, const size_t *sendbytes, const size_t *sendoff,
                                    void *recvbuf, const size_t *recvbytes, const size_t *recvoff,
                                    size_t longest) {
  begin();
  return end(worked.real->exchange_long(sendbuf, sendbytes, sendoff, recvbuf, recvbytes, recvoff, longest));
}

static void timed_meet(void) {
  begin();
  worked.real->meet();
  end(GrB_SUCCESS);
}

static bool timed_gather_long(const void *mine, const size_t *bytes, const size_t *off, void *all) {
  begin();
  const bool done = worked.real->gather_long(mine, bytes, off, all);
  end(GrB_SUCCESS);
  return done;
}

static GrB_Info timed_deliver(grid_set set, const void *sendbuf, const size_t *sendbytes,
                              const size_t *sendoff, grid_inbox *in) {
  begin();
  return end(worked.real->deliver(set, sendbuf, sendbytes, sendoff, in));
}

static void start(void) {
  const grid_transport *real = worked.real = grid_here.transport;
  worked.timed = (grid_transport){
      .name = real->name,
      .allreduce = timed_allreduce,
      .allreduce_with = timed_allreduce_with,
      .bcast = timed_bcast,
      .allgather = timed_allgather,
      .exchange = timed_exchange,
      .exchange_long = real->exchange_long ? timed_exchange_long : NULL,
      .room = real->room, /* memory alone */
      .meet = real->meet ? timed_meet : NULL,
      .gather_long = real->gather_long ? timed_gather_long : NULL,
      .deliver = timed_deliver,
  };
  worked.seconds = 0;
  worked.since = now();
  grid_here.transport = &worked.timed;
}

double grid_worked(void) {
  if (!worked.real && grid_here.P > 1) start();
  return worked.seconds;
}

void grid_worked_from_here(void) {
  worked.since = now();
}

void grid_worked_stop(void) {
  if (worked.real) grid_here.transport = worked.real;
  worked.real = NULL;
}

double Grid_worked(void) {
  const double until_message = grid_worked();
  return until_message + (worked.real ? now() - worked.since : 0);
}
