/* See waits.h. Linux counts a yield as used time, so programs that compute starve a process that yields
 * often: a yield may take 20 ms. One that sleeps gets the core when it wakes, unless it wakes so often that
 * this is what it does with its share of the core. Open MPI yields, too, wherever it finds no message. */
#include "dist/comm/transport/waits.h"

#include <linux/futex.h>
#include <omp.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "semiring/threads/context_section.h"

enum {
  SPINS = 32,       /* turns between calls of MPI, */
  SLEEPS = 4,       /* and of waits that sleep */
  CROWDED_FOR = 64, /* waits that sleep at once after a slow yield */
};
static const double YIELDS_FOR = 200e-6;                     /* seconds of a wait before it sleeps */
static const double SLOW_YIELD = 1e-3;                       /* seconds: another program had the core */
static const long LEAST_SLEEP = 50000, MOST_SLEEP = 4000000; /* nanoseconds */

static struct {
  bool share_cores;
  int crowded; /* waits left of CROWDED_FOR */
} default_waits GRID_OF_CONTEXT;
#define waits GRID_IN_CONTEXT(default_waits)

void grid_wait_set_processes(int n) {
  waits.share_cores = n * omp_get_max_threads() > omp_get_num_procs();
}

/* ---- the bell ---- */

void grid_bell_ring(grid_bell *b) {
  atomic_fetch_add(&b->rings, 1);
  syscall(SYS_futex, &b->rings, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

/* The first time only joins the sleepers: whoever rings from now on knows, and what is waited for must be
 * looked at again. */
static void sleep_until_ring(grid_wait *w, grid_bell *b) {
  const struct timespec most = {.tv_nsec = MOST_SLEEP};
  if (w->sleeps)
    syscall(SYS_futex, &b->rings, FUTEX_WAIT, w->heard, &most, NULL, 0);
  else
    atomic_fetch_add(&b->sleepers, 1);
  w->sleeps = true;
  w->heard = atomic_load(&b->rings);
}

void grid_wait_end(grid_wait *w, grid_bell *b) {
  if (w->sleeps) atomic_fetch_sub(&b->sleepers, 1);
}

/* ---- turns ---- */

/* Something that may have yielded began then. */
static void note_yield(double began) {
  if (omp_get_wtime() - began > SLOW_YIELD) waits.crowded = CROWDED_FOR;
}

/* Should this turn sleep? */
static bool is_sleep_due(grid_wait *w) {
  const double now = omp_get_wtime();
  if (w->turns == 1) {
    w->since = now;
    if (waits.crowded) waits.crowded--;
  }
  return waits.crowded || now - w->since > YIELDS_FOR;
}

static void yield(void) {
  const double began = omp_get_wtime();
  sched_yield();
  note_yield(began);
}

void grid_wait_turn(grid_wait *w, grid_bell *b, MPI_Comm comm) {
  int pending;
  w->turns++;
  if (waits.share_cores && is_sleep_due(w))
    sleep_until_ring(w, b);
  else if (waits.share_cores)
    yield();
  if (w->turns % (w->sleeps ? SLEEPS : SPINS)) return;
  const double began = omp_get_wtime();
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &pending, MPI_STATUS_IGNORE);
  if (waits.share_cores) note_yield(began);
}

/* ---- waits for MPI ---- */

typedef struct {
  grid_wait turns;
  long sleep;   /* nanoseconds of the next one */
  double began; /* the last test, which may have yielded */
} mpi_wait;

static mpi_wait begin_wait(void) {
  return (mpi_wait){.sleep = LEAST_SLEEP, .began = omp_get_wtime()};
}

/* After a test: false if the wait ends, else a turn, which is a yield or a sleep twice as long as the last.
 */
static bool is_waiting(mpi_wait *w, int rc, int done) {
  if (rc != MPI_SUCCESS || done) return false;
  note_yield(w->began);
  w->turns.turns++;
  if (is_sleep_due(&w->turns)) {
    nanosleep(&(struct timespec){.tv_nsec = w->sleep}, NULL);
    if (w->sleep < MOST_SLEEP / 4) w->sleep *= 2;
  } else {
    yield();
  }
  w->began = omp_get_wtime();
  return true;
}

int grid_wait_for_requests(int n, MPI_Request *request) {
  mpi_wait w = begin_wait();
  int rc, done = 0;
  if (!waits.share_cores) return MPI_Waitall(n, request, MPI_STATUSES_IGNORE);
  do rc = MPI_Testall(n, request, &done, MPI_STATUSES_IGNORE);
  while (is_waiting(&w, rc, done));
  return rc;
}

int grid_wait_for_message(int tag, MPI_Comm comm, MPI_Status *status) {
  mpi_wait w = begin_wait();
  int rc, arrived = 0;
  if (!waits.share_cores) return MPI_Probe(MPI_ANY_SOURCE, tag, comm, status);
  do rc = MPI_Iprobe(MPI_ANY_SOURCE, tag, comm, &arrived, status);
  while (is_waiting(&w, rc, arrived));
  return rc;
}
