/* See heartbeat.h. */
#include "dist/comm/transport/heartbeat.h"

#include <fcntl.h>
#include <limits.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "dist/comm/transport/machine_heartbeat.h"
#include "dist/comm/transport/shm_segment.h"
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

static struct {
  bool running, registered; /* registered: leave_at_exit is called */
  grid_shm memory;          /* a heartbeat for each process, then one for each neighboring machine */
  int me, processes, size;  /* of this machine; with the neighbors */
  unsigned limit;           /* ticks */
  uint64_t *last_ticks;     /* their counters at the last tick */
  unsigned *silent;         /* ticks since they changed */
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t wake;
  bool ending;
} watch;

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

static heartbeat *heartbeat_of(int process) {
  return (heartbeat *)(void *)watch.memory.at + process;
}

static bool is_remote(int process) {
  return process >= watch.processes;
}

/* ---- a lost process ---- */

/* A process's own machine speaks first, then the next machine, then the one before it. */
static unsigned limit_of(int process) {
  return watch.limit + (is_remote(process) ? (unsigned)(process - watch.processes + 1) * TICKS_A_SECOND : 0);
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
_Noreturn static void end_job(int lost) {
  const grid_heartbeat_process *p = &heartbeat_of(lost)->process;
  char text[700];
  if (!atomic_flag_test_and_set(&heartbeat_of(lost)->is_reported)) {
    const int length = snprintf(
        text, sizeof text,
        "gridblas: process %d (pid %ld on %s, rank %d of MPI_COMM_WORLD) has not %s for %u s: it was "
        "suspended or killed%s. The job ends. GRIDBLAS_TIMEOUT=SECONDS waits longer, 0 for ever.\n",
        p->rank, p->pid, p->host, p->job_rank, is_remote(lost) ? "been heard from" : "run",
        watch.limit / TICKS_A_SECOND, is_remote(lost) ? ", or its machine cannot be reached" : "");
    (void)!write(STDERR_FILENO, text, (size_t)length);
  } else {
    sleep(1); /* the message comes first */
  }
  Grid_temporary_unlink();
  _exit(EXIT_LOST);
}

static void check_processes(void) {
  for (int p = 0; p < watch.size; p++) {
    const uint64_t ticks = atomic_load_explicit(&heartbeat_of(p)->ticks, memory_order_relaxed);
    const bool is_watched = ticks != 0 && ticks != FINISHED;
    watch.silent[p] = ticks == watch.last_ticks[p] && is_watched ? watch.silent[p] + 1 : 0;
    watch.last_ticks[p] = ticks;
  }
  for (int p = 0; p < watch.size; p++) {
    if (watch.silent[p] < limit_of(p)) continue;
    if (is_remote(p) || !is_held(heartbeat_of(p)->process.pid)) end_job(p);
    watch.silent[p] = 0;
  }
}

/* ---- the thread ---- */

/* No process watches this one from now on; datagrams may be lost. */
static void leave(void) {
  enum { TIMES = 3 };
  atomic_store(&heartbeat_of(watch.me)->ticks, FINISHED);
  for (int k = 0; k < TIMES && watch.me == 0; k++) grid_machine_heartbeat_send(FINISHED);
}

/* Counters from and to the neighboring machines; a process that has left them stays so. */
static void exchange_remote(uint64_t ticks) {
  int neighbor;
  uint64_t theirs;
  grid_machine_heartbeat_send(ticks);
  while (grid_machine_heartbeat_receive(&neighbor, &theirs)) {
    _Atomic uint64_t *at = &heartbeat_of(watch.processes + neighbor)->ticks;
    if (atomic_load(at) != FINISHED) atomic_store(at, theirs);
  }
}

static struct timespec next_tick(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  t.tv_nsec += TICK_MS * 1000000L;
  if (t.tv_nsec >= 1000000000L) t.tv_sec++, t.tv_nsec -= 1000000000L;
  return t;
}

static void *run(void *unused) {
  int is_over = 0; /* MPI: this process may exit in any way */
  pthread_mutex_lock(&watch.lock);
  while (!watch.ending) {
    MPI_Finalized(&is_over);
    if (is_over) {
      leave();
      break;
    }
    const struct timespec until = next_tick();
    uint64_t ticks = atomic_load(&heartbeat_of(watch.me)->ticks);
    if (ticks != FINISHED) atomic_compare_exchange_strong(&heartbeat_of(watch.me)->ticks, &ticks, ticks + 1);
    if (watch.me == 0) exchange_remote(atomic_load(&heartbeat_of(0)->ticks));
    check_processes();
    pthread_cond_timedwait(&watch.wake, &watch.lock, &until);
  }
  pthread_mutex_unlock(&watch.lock);
  return unused;
}

/* Signals are left to the program's threads. */
static bool start_thread(void) {
  pthread_condattr_t monotonic;
  pthread_attr_t small;
  sigset_t all, before;
  pthread_condattr_init(&monotonic);
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  pthread_cond_init(&watch.wake, &monotonic);
  pthread_condattr_destroy(&monotonic);
  pthread_mutex_init(&watch.lock, NULL);
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, STACK);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const bool started = pthread_create(&watch.thread, &small, run, NULL) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (started) pthread_setname_np(watch.thread, "grid-heartbeat");
  pthread_attr_destroy(&small);
  return started;
}

/* A program may end without GrB_finalize. Not in a child that the process has forked. */
static void leave_at_exit(void) {
  if (watch.running && heartbeat_of(watch.me)->process.pid == (long)getpid()) leave();
}

static void free_watch(void) {
  grid_machine_heartbeat_close();
  grid_shm_close(&watch.memory);
  free(watch.last_ticks);
  free(watch.silent);
  watch.last_ticks = NULL, watch.silent = NULL;
}

/* Shared memory, and sockets of the machine's first process. False: there is nobody to watch, or no memory.
 */
static bool open_watch(MPI_Comm machine, const void *leaders, const grid_heartbeat_process *own) {
  grid_heartbeat_process neighbor[GRID_MAX_NEIGHBORS];
  int n = watch.me == 0 ? grid_machine_heartbeat_open(leaders, own, neighbor) : 0;
  if (MPI_Bcast(&n, 1, MPI_INT, 0, machine) != MPI_SUCCESS) n = 0;
  watch.size = watch.processes + n;
  if (watch.size == 1 || !grid_shm_open(&watch.memory, &machine, 1 + GRID_MAX_NEIGHBORS, sizeof(heartbeat)))
    return false;
  for (int k = 0; k < n && watch.me == 0; k++) heartbeat_of(watch.processes + k)->process = neighbor[k];
  heartbeat_of(watch.me)->process = *own;
  atomic_store(&heartbeat_of(watch.me)->ticks, 1);
  watch.last_ticks = calloc((size_t)watch.size, sizeof *watch.last_ticks);
  watch.silent = calloc((size_t)watch.size, sizeof *watch.silent);
  return true;
}

void grid_heartbeat_start(const void *machine, const void *leaders, int rank, int job_rank,
                          unsigned seconds) {
  const MPI_Comm comm = *(const MPI_Comm *)machine;
  grid_heartbeat_process own = {.rank = rank, .job_rank = job_rank, .pid = (long)getpid()};
  if (seconds == 0 || watch.running) return;
  MPI_Comm_size(comm, &watch.processes);
  MPI_Comm_rank(comm, &watch.me);
  if (gethostname(own.host, sizeof own.host - 1) != 0)
    snprintf(own.host, sizeof own.host, "an unnamed machine");
  watch.limit = seconds * TICKS_A_SECOND;
  watch.ending = false;
  if (!open_watch(comm, leaders, &own)) {
    free_watch();
    return;
  }
  watch.registered = watch.registered || (atexit(leave_at_exit) == 0 && at_quick_exit(leave_at_exit) == 0);
  watch.running = watch.registered && watch.last_ticks && watch.silent && start_thread();
  if (watch.running) return;
  leave();
  free_watch();
}

void grid_heartbeat_stop(void) {
  if (!watch.running || heartbeat_of(watch.me)->process.pid != (long)getpid()) return;
  pthread_mutex_lock(&watch.lock);
  watch.ending = true;
  pthread_cond_signal(&watch.wake);
  pthread_mutex_unlock(&watch.lock);
  pthread_join(watch.thread, NULL);
  pthread_cond_destroy(&watch.wake);
  pthread_mutex_destroy(&watch.lock);
  leave();
  watch.running = false;
  free_watch();
}
