/* See api_lock.h and call_gate.h. */
#include "semiring/threads/api_lock.h"

#include <linux/membarrier.h>
#include <omp.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "semiring/threads/call_gate.h"
#include "semiring/threads/worker_error.h"

__thread int grid_open_calls;
__thread int grid_call_depth;
static _Thread_local grid_call_entry outermost; /* of the grid_call_depth calls */

struct grid_call_gate grid_common_gate = {.lock = PTHREAD_MUTEX_INITIALIZER};

struct grid_gates grid_default_call_state GRID_OF_CONTEXT = {.gate.lock = PTHREAD_MUTEX_INITIALIZER};

void grid_call_use_common_gate(bool on) {
  grid_call_state.is_common = on;
}

void grid_call_set_prepare(void (*prepare)(void)) {
  grid_call_state.prepare = prepare;
}

static bool barrier(int command) {
  return syscall(SYS_membarrier, command, 0, 0) == 0;
}

/* Requires the lock. The first caller becomes the only thread; a second one waits until that has left its
 * call. */
static void wait_for_threads(struct grid_call_gate *g) {
  const void *before = atomic_load(&g->sole_caller);
  if (before == g) return;
  if (before == NULL && barrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED)) {
    atomic_store(&g->sole_caller, &grid_call_depth);
    return;
  }
  atomic_store(&g->sole_caller, g);
  if (before) barrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
  while (atomic_load_explicit(&g->is_inside, memory_order_acquire)) sched_yield();
}

/* Keeps the registers of the way without a lock free. */
static void __attribute__((noinline)) enter_with_lock(struct grid_call_gate *g) {
  pthread_mutex_lock(&g->lock);
  wait_for_threads(g);
}

static grid_call_entry enter(struct grid_call_gate *g) {
  const grid_call_entry entry = {g, grid_gate_enter_without_lock(g)};
  if (!entry.is_without_lock) enter_with_lock(g);
  return entry;
}

static void leave(const grid_call_entry *entry) {
  if (entry->is_without_lock)
    grid_gate_leave_without_lock(entry->gate);
  else
    pthread_mutex_unlock(&entry->gate->lock);
}

/* ---- OpenMP threads of a call ---- */

static _Thread_local const _Atomic int *engaged_threads; /* of the thread's GxB_Context, or NULL */
static _Thread_local int program_threads;                /* the thread's number outside the call; 0: kept */

void grid_call_engage_threads(const _Atomic int *threads) {
  engaged_threads = threads;
}

void grid_call_set_default_threads(int threads) {
  atomic_store(&grid_call_state.default_threads, threads);
}

void grid_call_keep_threads(void) {
  program_threads = 0;
}

/* The context's only thread has the default already. */
static void choose_threads(void) {
  const int wanted = engaged_threads ? atomic_load(engaged_threads)
                     : outermost.is_without_lock
                         ? 0
                         : atomic_load_explicit(&grid_call_state.default_threads, memory_order_relaxed);
  program_threads = 0;
  if (wanted < 1 || wanted == omp_get_max_threads()) return;
  program_threads = omp_get_max_threads();
  omp_set_num_threads(wanted);
}

/* ---- calls ---- */

void grid_call_enter(void) {
  if (grid_call_depth++ > 0) return;
  outermost = enter(grid_gate_in_use());
  if (engaged_threads || !outermost.is_without_lock) choose_threads();
  if (grid_call_state.prepare) grid_call_state.prepare();
  grid_worker_error_discard();
}

void grid_call_leave(void) {
  if (--grid_call_depth > 0) return;
  if (program_threads) {
    omp_set_num_threads(program_threads);
    program_threads = 0;
  }
  leave(&outermost);
}

grid_call_entry grid_call_exclude_contexts(void) {
  if (outermost.gate == &grid_common_gate) return (grid_call_entry){0};
  return enter(&grid_common_gate);
}

void grid_call_admit_contexts(const grid_call_entry *entry) {
  if (entry->gate) leave(entry);
}

/* ---- fork ---- */

/* The only caller takes no lock; the thread that forks is then that one, outside a call, or the first call of
 * another thread ends its rule. */
static void close_gate(struct grid_call_gate *g) {
  pthread_mutex_lock(&g->lock);
  wait_for_threads(g);
}

void grid_call_lock_context(void) {
  close_gate(&grid_call_state.gate);
}
void grid_call_unlock_context(void) {
  pthread_mutex_unlock(&grid_call_state.gate.lock);
}
void grid_call_lock_common(void) {
  close_gate(&grid_common_gate);
}
void grid_call_unlock_common(void) {
  pthread_mutex_unlock(&grid_common_gate.lock);
}
