/* See api_lock.h. While a single thread makes all calls of a context it takes no lock, which would cost as
 * much as reading an element. It sets a flag and checks that it is still the only caller. The first call of
 * another thread ends that for good. A memory barrier on all processors (membarrier, Linux 4.14) makes each
 * thread's writes visible to the other. From then on every call takes the lock. */
#include "semiring/threads/api_lock.h"

#include <linux/membarrier.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "semiring/threads/context_section.h"
#include "semiring/threads/worker_error.h"

__thread int grid_open_calls;
static _Thread_local int depth; /* those of them that no other thread of the context may be inside */
static _Thread_local grid_call_entry outermost; /* of those */

struct grid_call_gate {
  pthread_mutex_t lock;
  /* the thread that makes all calls, by the address of its depth; the address of this structure: there are
   * several, or the system has no barrier */
  _Atomic(const void *) sole_caller;
  atomic_bool is_inside; /* that thread is inside a call */
};

/* Of all contexts that take turns. */
static struct grid_call_gate common_gate = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct {
  struct grid_call_gate gate;
  bool is_common;              /* the common gate is the context's */
  void (*prepare)(void);       /* grid_call_set_prepare */
  _Atomic int default_threads; /* of threads without a GxB_Context; 0: their own */
} default_api GRID_OF_CONTEXT = {.gate.lock = PTHREAD_MUTEX_INITIALIZER};
#define api GRID_IN_CONTEXT(default_api)

void grid_call_use_common_gate(bool on) {
  api.is_common = on;
}

void grid_call_set_prepare(void (*prepare)(void)) {
  api.prepare = prepare;
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
    atomic_store(&g->sole_caller, &depth);
    return;
  }
  atomic_store(&g->sole_caller, g);
  if (before) barrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
  while (atomic_load_explicit(&g->is_inside, memory_order_acquire)) sched_yield();
}

static bool enter_without_lock(struct grid_call_gate *g) {
  if (atomic_load_explicit(&g->sole_caller, memory_order_relaxed) != &depth) return false;
  (void)atomic_load_explicit(&g->is_inside,
                             memory_order_acquire); /* a thread of this address may have ended */
  atomic_store_explicit(&g->is_inside, true, memory_order_relaxed);
  atomic_signal_fence(memory_order_seq_cst); /* the other side's barrier is one for this processor, too */
  if (atomic_load_explicit(&g->sole_caller, memory_order_relaxed) == &depth) return true;
  atomic_store_explicit(&g->is_inside, false, memory_order_release);
  return false;
}

static void leave_without_lock(struct grid_call_gate *g) {
  atomic_store_explicit(&g->is_inside, false, memory_order_release);
}

/* Keeps the registers of the way without a lock free. */
static void __attribute__((noinline)) enter_with_lock(struct grid_call_gate *g) {
  pthread_mutex_lock(&g->lock);
  wait_for_threads(g);
}

static grid_call_entry enter(struct grid_call_gate *g) {
  const grid_call_entry entry = {g, enter_without_lock(g)};
  if (!entry.is_without_lock) enter_with_lock(g);
  return entry;
}

static void leave(const grid_call_entry *entry) {
  if (entry->is_without_lock)
    leave_without_lock(entry->gate);
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
  atomic_store(&api.default_threads, threads);
}

void grid_call_keep_threads(void) {
  program_threads = 0;
}

/* The context's only thread has the default already. */
static void choose_threads(void) {
  const int wanted = engaged_threads ? atomic_load(engaged_threads)
                     : outermost.is_without_lock
                         ? 0
                         : atomic_load_explicit(&api.default_threads, memory_order_relaxed);
  program_threads = 0;
  if (wanted < 1 || wanted == omp_get_max_threads()) return;
  program_threads = omp_get_max_threads();
  omp_set_num_threads(wanted);
}

/* ---- calls ---- */

static struct grid_call_gate *gate(void) {
  return api.is_common ? &common_gate : &api.gate;
}

void grid_call_enter(void) {
  if (depth++ > 0) return;
  outermost = enter(gate());
  if (engaged_threads || !outermost.is_without_lock) choose_threads();
  if (api.prepare) api.prepare();
  grid_worker_error_discard();
}

void grid_call_leave(void) {
  if (--depth > 0) return;
  if (program_threads) {
    omp_set_num_threads(program_threads);
    program_threads = 0;
  }
  leave(&outermost);
}

struct grid_call_gate *grid_read_begin(void) {
  struct grid_call_gate *g = gate();
  return depth == 0 && enter_without_lock(g) ? g : NULL;
}

void grid_read_end(struct grid_call_gate *g) {
  leave_without_lock(g);
}

grid_call_entry grid_call_exclude_contexts(void) {
  if (outermost.gate == &common_gate) return (grid_call_entry){0};
  return enter(&common_gate);
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
  close_gate(&api.gate);
}
void grid_call_unlock_context(void) {
  pthread_mutex_unlock(&api.gate.lock);
}
void grid_call_lock_common(void) {
  close_gate(&common_gate);
}
void grid_call_unlock_common(void) {
  pthread_mutex_unlock(&common_gate.lock);
}
