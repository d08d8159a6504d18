/* See heartbeat.h. */
#include "dist/comm/transport/heartbeat.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "dist/comm/mpi/mpi_calls.h"
#include "dist/comm/mpi/mpi_library.h"
#include "dist/comm/transport/machines/machine_heartbeat.h"
#include "dist/comm/transport/shm/shm_segment.h"
#include "gridblas.h"

/* Time is counted in ticks of this process's own thread, so that a job suspended as a whole, or a
 * machine that slept, continues. */
enum { TICK_MS = 250, TICKS_A_SECOND = 1000 / TICK_MS, EXIT_LOST = 70, STACK = 256 << 10 };
static const uint64_t FINISHED = UINT64_MAX;

typedef struct {
  _Alignas(64) _Atomic uint64_t ticks; /* 0, FINISHED: the process is not watched yet, or not any more */
  atomic_flag is_reported;             /* that it is lost: one process speaks for all */
  grid_heartbeat_process process;
} heartbeat;

struct grid_heartbeat {
  grid_heartbeat *next;
  grid_shm memory;            /* a heartbeat for each process, then one for each neighboring machine */
  int me, processes, size;    /* of this machine; with the neighbors */
  unsigned limit;             /* ticks */
  uint64_t *last_ticks;       /* their counters at the last tick */
  unsigned *silent;           /* ticks since they changed */
  grid_machine_heartbeat net; /* of the machine's first process */
};

/* One thread ticks for all watches of this process, as long as there are any. */
static struct {
  grid_heartbeat *first;
  pthread_mutex_t lock; /* of the list and of what the thread changes in its members */
  pthread_cond_t wake;
  pthread_t thread;
  bool registered; /* leave_at_exit is called */
} watches = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool grid_heartbeat_read_timeout(unsigned *seconds) {
  const char *text = getenv("GRIDBLAS_TIMEOUT");
  char *end;
  *seconds = 10;
  if (!text || !*text) return true;
  const long value = strtol(text, &end, 10);
  if (*end || value < 0 || value > INT_MAX / TICKS_A_SECOND) return false;
  *seconds = (unsigned)value;
  return true;
}

static heartbeat *heartbeat_of(const grid_heartbeat *w, int process) {
  return (heartbeat *)(void *)w->memory.at + process;
}

static bool is_remote(const grid_heartbeat *w, int process) {
  return process >= w->processes;
}

/* ---- a lost process ---- */

/* A process's own machine speaks first, then the next machine, then the one before it. */
static unsigned limit_of(const grid_heartbeat *w, int process) {
  return w->limit + (is_remote(w, process) ? (unsigned)(process - w->processes + 1) * TICKS_A_SECOND : 0);
}

/* Does the system hold it still: it writes a core dump, or a debugger has stopped it? */
static bool is_held(long pid) {
  char path[64], text[8192];
  snprintf(path, sizeof path, "/proc/%ld/status", pid);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  const ssize_t n = file < 0 ? -1 : read(file, text, sizeof text - 1);
  if (file >= 0) close(file);
  if (n < 0) return false;
  text[n] = '\0';
  const char *tracer = strstr(text, "\nTracerPid:");
  return strstr(text, "\nCoreDumping:\t1") ||
         (tracer && strtol(tracer + strlen("\nTracerPid:"), NULL, 10) != 0);
}

/* Ends the program without stdio and exit handlers, whose locks the other threads may hold; the launcher then
 * ends the other processes. */
_Noreturn static void end_job(const grid_heartbeat *w, int lost) {
  const grid_heartbeat_process *p = &heartbeat_of(w, lost)->process;
  char text[700];
  if (!atomic_flag_test_and_set(&heartbeat_of(w, lost)->is_reported)) {
    const int length = snprintf(
        text, sizeof text,
        "gridblas: process %d (pid %ld on %s, rank %d of MPI_COMM_WORLD) has not %s for %u s: it was "
        "suspended or killed%s. The job ends. GRIDBLAS_TIMEOUT=SECONDS waits longer, 0 for ever.\n",
        p->rank, p->pid, p->host, p->job_rank, is_remote(w, lost) ? "been heard from" : "run",
        w->limit / TICKS_A_SECOND, is_remote(w, lost) ? ", or its machine cannot be reached" : "");
    (void)!write(STDERR_FILENO, text, (size_t)length);
  } else {
    sleep(1); /* the message comes first */
  }
  Grid_temporary_unlink();
  _exit(EXIT_LOST);
}

static void check_processes(grid_heartbeat *w) {
  for (int p = 0; p < w->size; p++) {
    const uint64_t ticks = atomic_load_explicit(&heartbeat_of(w, p)->ticks, memory_order_relaxed);
    const bool is_watched = ticks != 0 && ticks != FINISHED;
    w->silent[p] = ticks == w->last_ticks[p] && is_watched ? w->silent[p] + 1 : 0;
    w->last_ticks[p] = ticks;
  }
  for (int p = 0; p < w->size; p++) {
    if (w->silent[p] < limit_of(w, p)) continue;
    if (is_remote(w, p) || !is_held(heartbeat_of(w, p)->process.pid)) end_job(w, p);
    w->silent[p] = 0;
  }
}

/* ---- the thread ---- */

/* No process watches this one from now on; datagrams may be lost. */
static void leave(const grid_heartbeat *w) {
  enum { TIMES = 3 };
  atomic_store(&heartbeat_of(w, w->me)->ticks, FINISHED);
  for (int k = 0; k < TIMES && w->me == 0; k++) grid_machine_heartbeat_send(&w->net, FINISHED);
}

/* Counters from and to the neighboring machines; a process that has left them stays so. */
static void exchange_remote(const grid_heartbeat *w, uint64_t ticks) {
  int neighbor;
  uint64_t ticks_received;
  grid_machine_heartbeat_send(&w->net, ticks);
  while (grid_machine_heartbeat_receive(&w->net, &neighbor, &ticks_received)) {
    _Atomic uint64_t *at = &heartbeat_of(w, w->processes + neighbor)->ticks;
    if (atomic_load(at) != FINISHED) atomic_store(at, ticks_received);
  }
}

static struct timespec next_tick(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  t.tv_nsec += TICK_MS * 1000000L;
  if (t.tv_nsec >= 1000000000L) t.tv_sec++, t.tv_nsec -= 1000000000L;
  return t;
}

static void tick(grid_heartbeat *w) {
  _Atomic uint64_t *counter = &heartbeat_of(w, w->me)->ticks;
  uint64_t ticks = atomic_load(counter);
  if (ticks != FINISHED) atomic_compare_exchange_strong(counter, &ticks, ticks + 1);
  if (w->me == 0) exchange_remote(w, atomic_load(counter));
  check_processes(w);
}

static void leave_all(void) {
  for (const grid_heartbeat *w = watches.first; w; w = w->next) leave(w);
}

static void *run(void *unused) {
  pthread_mutex_lock(&watches.lock);
  while (watches.first) {
    if (grid_mpi_is_finalized()) { /* this process may exit in any way */
      leave_all();
      break;
    }
    const struct timespec until = next_tick();
    for (grid_heartbeat *w = watches.first; w; w = w->next) tick(w);
    pthread_cond_timedwait(&watches.wake, &watches.lock, &until);
  }
  pthread_mutex_unlock(&watches.lock);
  return unused;
}

/* Signals are left to the program's threads. */
static bool start_thread(void) {
  pthread_condattr_t monotonic;
  pthread_attr_t small;
  sigset_t all, before;
  pthread_condattr_init(&monotonic);
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  pthread_cond_init(&watches.wake, &monotonic);
  pthread_condattr_destroy(&monotonic);
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, STACK);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const bool started = pthread_create(&watches.thread, &small, run, NULL) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (started) pthread_setname_np(watches.thread, "grid-heartbeat");
  pthread_attr_destroy(&small);
  if (!started) pthread_cond_destroy(&watches.wake);
  return started;
}

/* Not a child that the process has forked, which has no such thread. */
static bool is_watching(const grid_heartbeat *w) {
  return w && heartbeat_of(w, w->me)->process.pid == (long)getpid();
}

/* A program may end without GrB_finalize. */
static void leave_at_exit(void) {
  if (is_watching(watches.first)) leave_all();
}

static void close_watch(grid_heartbeat *w) {
  grid_machine_heartbeat_close(&w->net);
  grid_shm_close(&w->memory);
  free(w->last_ticks);
  free(w->silent);
}

/* Shared memory, and sockets of the machine's first process. False: there is nobody to watch, or no memory.
 */
static bool open_watch(grid_heartbeat *w, MPI_Comm machine, const void *leaders,
                       const grid_heartbeat_process *local) {
  grid_heartbeat_process neighbor[GRID_MAX_NEIGHBORS];
  MPI_Comm_size(machine, &w->processes);
  MPI_Comm_rank(machine, &w->me);
  int n = w->me == 0 ? grid_machine_heartbeat_open(&w->net, leaders, local, neighbor) : 0;
  if (MPI_Bcast(&n, 1, MPI_INT, 0, machine) != MPI_SUCCESS) n = 0;
  w->size = w->processes + n;
  if (w->size == 1 || !grid_shm_open(&w->memory, &machine, 1 + GRID_MAX_NEIGHBORS, sizeof(heartbeat)))
    return false;
  for (int k = 0; k < n && w->me == 0; k++) heartbeat_of(w, w->processes + k)->process = neighbor[k];
  heartbeat_of(w, w->me)->process = *local;
  atomic_store(&heartbeat_of(w, w->me)->ticks, 1);
  w->last_ticks = calloc((size_t)w->size, sizeof *w->last_ticks);
  w->silent = calloc((size_t)w->size, sizeof *w->silent);
  return true;
}

/* Puts a copy of `w` into the list. NULL: there is no memory or no thread for it. */
static grid_heartbeat *add_watch(const grid_heartbeat *w) {
  grid_heartbeat *added = malloc(sizeof *added);
  if (!watches.registered)
    watches.registered = atexit(leave_at_exit) == 0 && at_quick_exit(leave_at_exit) == 0;
  if (!added || !w->last_ticks || !w->silent || !watches.registered) {
    free(added);
    return NULL;
  }
  *added = *w;
  pthread_mutex_lock(&watches.lock);
  added->next = watches.first;
  watches.first = added;
  const bool is_ticking = added->next || start_thread();
  if (!is_ticking) watches.first = NULL;
  pthread_mutex_unlock(&watches.lock);
  if (is_ticking) return added;
  free(added);
  return NULL;
}

grid_heartbeat *grid_heartbeat_start(const void *machine, const void *leaders, int rank, int job_rank,
                                     unsigned seconds) {
  grid_heartbeat_process local = {.rank = rank, .job_rank = job_rank, .pid = (long)getpid()};
  grid_heartbeat w = {.limit = seconds * TICKS_A_SECOND, .net.socket = -1}, *added;
  if (seconds == 0) return NULL;
  if (gethostname(local.host, sizeof local.host - 1) != 0)
    snprintf(local.host, sizeof local.host, "an unnamed machine");
  if (!open_watch(&w, *(const MPI_Comm *)machine, leaders, &local)) {
    close_watch(&w);
    return NULL;
  }
  if ((added = add_watch(&w))) return added;
  leave(&w);
  close_watch(&w);
  return NULL;
}

/* Takes it out of the list; true: it was the last, and the thread ends. */
static bool remove_watch(const grid_heartbeat *w) {
  pthread_mutex_lock(&watches.lock);
  grid_heartbeat **at = &watches.first;
  while (*at != w) at = &(*at)->next;
  *at = w->next;
  const bool was_last = !watches.first;
  if (was_last) pthread_cond_signal(&watches.wake);
  pthread_mutex_unlock(&watches.lock);
  return was_last;
}

void grid_heartbeat_stop(grid_heartbeat *w) {
  if (!is_watching(w)) return;
  if (remove_watch(w)) {
    pthread_join(watches.thread, NULL);
    pthread_cond_destroy(&watches.wake);
  }
  leave(w);
  close_watch(w);
  free(w);
}
