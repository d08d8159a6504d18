/* See api_lock.h. While one thread makes all calls it takes no lock, which would cost as much as reading an
 * element: it says that it is inside a call, and looks whether it is still the only one. The first call of
 * another thread ends that for good: a memory barrier on all processors (membarrier, Linux 4.14) makes what
 * either has written visible to the other, and from then on every call takes the lock. */
#include "semiring/support/api_lock.h"

#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "semiring/support/error.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local int open_calls;       /* calls that this thread is inside */
static _Thread_local int depth;            /* those of them that no other thread may be inside */
static _Thread_local bool is_without_lock; /* the outermost of them */

static char multi_threaded;               /* its address stands for "more than one thread, or no barrier" */
static _Atomic(const void *) sole_caller; /* the thread that makes all calls, by the address of its depth */
static atomic_bool is_inside;             /* that thread is inside a call */

static bool barrier(int command) {
  return syscall(SYS_membarrier, command, 0, 0) == 0;
}

/* The lock is held. The first caller becomes the only thread; a second one waits until that has left its
 * call. */
static void wait_for_threads(void) {
  const void *before = atomic_load(&sole_caller);
  if (before == &multi_threaded) return;
  if (before == NULL && barrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED)) {
    atomic_store(&sole_caller, &depth);
    return;
  }
  atomic_store(&sole_caller, &multi_threaded);
  if (before) barrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
  while (atomic_load_explicit(&is_inside, memory_order_acquire)) sched_yield();
}

static bool enter_without_lock(void) {
  if (atomic_load_explicit(&sole_caller, memory_order_relaxed) != &depth) return false;
  (void)atomic_load_explicit(&is_inside, memory_order_acquire); /* a thread of this address may have ended */
  atomic_store_explicit(&is_inside, true, memory_order_relaxed);
  atomic_signal_fence(memory_order_seq_cst); /* the other side's barrier is one for this processor, too */
  if (atomic_load_explicit(&sole_caller, memory_order_relaxed) == &depth) return true;
  atomic_store_explicit(&is_inside, false, memory_order_release);
  return false;
}

bool grid_call_begin(bool exclusive) {
  open_calls++;
  if (!exclusive || depth++ > 0) return exclusive;
  is_without_lock = enter_without_lock();
  if (!is_without_lock) {
    pthread_mutex_lock(&lock);
    wait_for_threads();
  }
  grid_forget_worker_error();
  return exclusive;
}

void grid_call_end(const bool *exclusive) {
  open_calls--;
  if (!*exclusive || --depth > 0) return;
  if (is_without_lock)
    atomic_store_explicit(&is_inside, false, memory_order_release);
  else
    pthread_mutex_unlock(&lock);
}

bool grid_call_is_open(void) {
  return open_calls > 0;
}
