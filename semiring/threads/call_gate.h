/* What a call of a context enters and leaves (api_lock.h). While a single thread makes all calls of a context
 * it takes no lock, which would cost as much as reading an element. It sets a flag and checks that it is
 * still the only caller. The first call of another thread ends that for good. A memory barrier on all
 * processors (membarrier, Linux 4.14) makes each thread's writes visible to the other. From then on every
 * call takes the lock. */
#ifndef GRID_CALL_GATE_H
#define GRID_CALL_GATE_H
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "semiring/threads/context_section.h"

/* Open calls of the thread that no other thread of the context may be inside. */
extern __thread int grid_call_depth __attribute__((visibility("hidden")));

struct grid_call_gate {
  pthread_mutex_t lock;
  /* the thread that makes all calls, by the address of its depth; the address of this structure: there are
   * several, or the system has no barrier */
  _Atomic(const void *) sole_caller;
  atomic_bool is_inside; /* that thread is inside a call */
};

/* Of a context. */
struct grid_gates {
  struct grid_call_gate gate;
  bool is_common;              /* the common gate is the context's */
  void (*prepare)(void);       /* grid_call_set_prepare */
  _Atomic int default_threads; /* of threads without a GxB_Context; 0: their own */
};
extern struct grid_gates grid_default_call_state GRID_DECLARED_OF_CONTEXT;
#define grid_call_state GRID_IN_CONTEXT(grid_default_call_state)
/* Of all contexts that take turns. */
extern struct grid_call_gate grid_common_gate __attribute__((visibility("hidden")));

static inline struct grid_call_gate *grid_gate_in_use(void) {
  struct grid_gates *s = &grid_call_state;
  return s->is_common ? &grid_common_gate : &s->gate;
}

static inline bool grid_gate_enter_without_lock(struct grid_call_gate *g) {
  if (atomic_load_explicit(&g->sole_caller, memory_order_relaxed) != &grid_call_depth) return false;
  (void)atomic_load_explicit(&g->is_inside,
                             memory_order_acquire); /* a thread of this address may have ended */
  atomic_store_explicit(&g->is_inside, true, memory_order_relaxed);
  atomic_signal_fence(memory_order_seq_cst); /* the other side's barrier is one for this processor, too */
  if (atomic_load_explicit(&g->sole_caller, memory_order_relaxed) == &grid_call_depth) return true;
  atomic_store_explicit(&g->is_inside, false, memory_order_release);
  return false;
}

static inline void grid_gate_leave_without_lock(struct grid_call_gate *g) {
  atomic_store_explicit(&g->is_inside, false, memory_order_release);
}

/* For a function that reads an object and calls no public function. While the calling thread makes all calls
 * of the context, no other thread is inside one until grid_read_end() of the result. NULL: it needs a call
 * scope. */
static inline struct grid_call_gate *grid_read_begin(void) {
  struct grid_call_gate *g = grid_gate_in_use();
  return grid_call_depth == 0 && grid_gate_enter_without_lock(g) ? g : NULL;
}
static inline void grid_read_end(struct grid_call_gate *g) {
  grid_gate_leave_without_lock(g);
}
#endif
