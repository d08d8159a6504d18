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

#include "dist/comm/transport/shm_segment.h"
#include "gridblas.h"

/* Time is counted in ticks of this process's own thread, so that a job suspended as a whole, or a
 * machine that slept, continues. */
enum { TICK_MS = 250, TICKS_A_SECOND = 1000 / TICK_MS, EXIT_LOST = 70, STACK = 256 << 10 };
static const uint64_t FINISHED = UINT64_MAX;

typedef struct {
  _Alignas(64) _Atomic uint64_t ticks; /* FINISHED: the process is not watched any more */
  atomic_flag is_reported;             /* that it is lost: one process speaks for all */
  int rank, job_rank;
  long pid;
} heartbeat;

static struct {
  bool running, registered; /* registered: leave_at_exit is called */
  grid_shm memory;          /* a heartbeat for each process */
  int me, size;
  unsigned limit;       /* ticks */
  uint64_t *last_ticks; /* their counters at the last tick */
  unsigned *silent;     /* ticks since they changed */
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

/* ---- a lost process ---- */

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
  char host[256] = "this machine", text[700];
  if (!atomic_flag_test_and_set(&heartbeat_of(lost)->is_reported)) {
    if (gethostname(host, sizeof host) == 0) host[sizeof host - 1] = '\0';
    const int length = snprintf(
        text, sizeof text,
        "gridblas: process %d (pid %ld on %s, rank %d of MPI_COMM_WORLD) has not run for %u s: it was "
        "suspended or killed. The job ends. GRIDBLAS_TIMEOUT=SECONDS waits longer, 0 for ever.\n",
        heartbeat_of(lost)->rank, heartbeat_of(lost)->pid, host, heartbeat_of(lost)->job_rank,
        watch.limit / TICKS_A_SECOND);
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
    watch.silent[p] = ticks == watch.last_ticks[p] && ticks != FINISHED ? watch.silent[p] + 1 : 0;
    watch.last_ticks[p] = ticks;
  }
  for (int p = 0; p < watch.size; p++) {
    if (watch.silent[p] < watch.limit) continue;
    if (!is_held(heartbeat_of(p)->pid)) end_job(p);
    watch.silent[p] = 0;
  }
}

/* ---- the thread ---- */

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
      atomic_store(&heartbeat_of(watch.me)->ticks, FINISHED);
      break;
    }
    const struct timespec until = next_tick();
    uint64_t ticks = atomic_load(&heartbeat_of(watch.me)->ticks);
    if (ticks != FINISHED) atomic_compare_exchange_strong(&heartbeat_of(watch.me)->ticks, &ticks, ticks + 1);
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
  if (watch.running && heartbeat_of(watch.me)->pid == (long)getpid())
    atomic_store(&heartbeat_of(watch.me)->ticks, FINISHED);
}

static void free_watch(void) {
  grid_shm_close(&watch.memory);
  free(watch.last_ticks);
  free(watch.silent);
  watch.last_ticks = NULL, watch.silent = NULL;
}

void grid_heartbeat_start(const void *comm, int rank, int job_rank, unsigned seconds) {
  MPI_Comm_size(*(const MPI_Comm *)comm, &watch.size);
  MPI_Comm_rank(*(const MPI_Comm *)comm, &watch.me);
  if (watch.size == 1 || seconds == 0 || watch.running) return;
  if (!grid_shm_open(&watch.memory, comm, 1, sizeof(heartbeat))) return;
  watch.limit = seconds * TICKS_A_SECOND;
  watch.ending = false;
  watch.last_ticks = calloc((size_t)watch.size, sizeof *watch.last_ticks);
  watch.silent = calloc((size_t)watch.size, sizeof *watch.silent);
  heartbeat *mine = heartbeat_of(watch.me);
  mine->rank = rank, mine->job_rank = job_rank, mine->pid = (long)getpid();
  watch.registered = watch.registered || (atexit(leave_at_exit) == 0 && at_quick_exit(leave_at_exit) == 0);
  watch.running = watch.registered && watch.last_ticks && watch.silent && start_thread();
  if (watch.running) return;
  atomic_store(&mine->ticks, FINISHED); /* the others do not watch it */
  free_watch();
}

void grid_heartbeat_stop(void) {
  if (!watch.running || heartbeat_of(watch.me)->pid != (long)getpid()) return;
  pthread_mutex_lock(&watch.lock);
  watch.ending = true;
  pthread_cond_signal(&watch.wake);
  pthread_mutex_unlock(&watch.lock);
  pthread_join(watch.thread, NULL);
  pthread_cond_destroy(&watch.wake);
  pthread_mutex_destroy(&watch.lock);
  atomic_store(&heartbeat_of(watch.me)->ticks, FINISHED);
  watch.running = false;
  free_watch();
}
