/* waited.c: see waited.h. */
#include "dist/grid/waited.h"

#include <omp.h>

static struct {
  const grid_transport *real; /* NULL: nobody has asked */
  grid_transport timed;
  double seconds, since, until;
} waited;

static void begin(void) {
  waited.since = omp_get_wtime();
}
static GrB_Info end(GrB_Info info) {
  waited.until = omp_get_wtime();
  waited.seconds += waited.until - waited.since;
  return info;
}

static GrB_Info timed_allreduce(grid_set set, uint64_t *v, size_t n, grid_reduction op) {
  begin();
  return end(waited.real->allreduce(set, v, n, op));
}

static GrB_Info timed_allreduce_with(grid_set set, void *buf, size_t bytes, grid_combine_fn f,
                                     void *context) {
  begin();
  return end(waited.real->allreduce_with(set, buf, bytes, f, context));
}

static GrB_Info timed_bcast(grid_set set, void *buf, size_t bytes, int root) {
  begin();
  return end(waited.real->bcast(set, buf, bytes, root));
}

static GrB_Info timed_allgather(grid_set set, const void *send, size_t bytes, void *recv) {
  begin();
  return end(waited.real->allgather(set, send, bytes, recv));
}

static GrB_Info timed_exchange(grid_set set, const void *sendbuf, const size_t *sendbytes,
                               const size_t *sendoff, void *recvbuf, const size_t *recvbytes,
                               const size_t *recvoff) {
  begin();
  return end(waited.real->exchange(set, sendbuf, sendbytes, sendoff, recvbuf, recvbytes, recvoff));
}

static GrB_Info timed_exchange_long(const void *sendbuf, const size_t *sendbytes, const size_t *sendoff,
                                    void *recvbuf, const size_t *recvbytes, const size_t *recvoff,
                                    size_t longest) {
  begin();
  return end(waited.real->exchange_long(sendbuf, sendbytes, sendoff, recvbuf, recvbytes, recvoff, longest));
}

static void timed_meet(void) {
  begin();
  waited.real->meet();
  end(GrB_SUCCESS);
}

static bool timed_gather_long(const void *mine, const size_t *bytes, const size_t *off, void *all) {
  begin();
  const bool done = waited.real->gather_long(mine, bytes, off, all);
  end(GrB_SUCCESS);
  return done;
}

static GrB_Info timed_deliver(grid_set set, const void *sendbuf, const size_t *sendbytes,
                              const size_t *sendoff, grid_inbox *in) {
  begin();
  return end(waited.real->deliver(set, sendbuf, sendbytes, sendoff, in));
}

double grid_waited(void) {
  if (!waited.real && grid_here.transport && grid_here.P > 1) {
    const grid_transport *real = waited.real = grid_here.transport;
    waited.timed = (grid_transport){
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
    waited.seconds = waited.until = 0;
    grid_here.transport = &waited.timed;
  }
  return waited.seconds;
}

double grid_waited_until(void) {
  return waited.until;
}

void grid_waited_stop(void) {
  if (waited.real) grid_here.transport = waited.real;
  waited.real = NULL;
}

double Grid_waited(void) {
  return grid_waited();
}
