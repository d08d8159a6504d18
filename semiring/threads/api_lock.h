/* Public calls of one context are serialized, so that threads of a program may call the library without
 * locks of their own (docs/threads.md). Data computed lazily from a shared input, such as the columns of a
 * matrix, is computed inside such a call, before another thread can read it. Calls of several contexts run at
 * the same time, except those of contexts that take turns (grid_call_use_common_gate). */
#ifndef GRID_API_LOCK_H
#define GRID_API_LOCK_H
#include <stdbool.h>

/* Calls that the calling thread is inside. C++ has no _Thread_local, and nvcc reads this header. */
extern __thread int grid_open_calls __attribute__((visibility("hidden")));
static inline bool grid_call_is_open(void) {
  return grid_open_calls > 0;
}
/* Waits until no other thread is inside an exclusive call of the context. Nested calls of the same thread do
 * not wait. */
void grid_call_enter(void);
void grid_call_leave(void);

/* exclusive: an exclusive call. Returns `exclusive`. */
static inline bool grid_call_begin(bool exclusive) {
  grid_open_calls++;
  if (exclusive) grid_call_enter();
  return exclusive;
}
/* Ends the call begun with *exclusive. */
static inline void grid_call_end(const bool *exclusive) {
  if (*exclusive) grid_call_leave();
  grid_open_calls--;
}
/* The calling thread's calls use as many OpenMP threads as *threads says when they begin (a context's
 * number); NULL: as before. */
void grid_call_engage_threads(const _Atomic int *threads);
/* What calls of threads use that have engaged nothing (0: their own number). */
void grid_call_set_default_threads(int threads);
/* Inside a call: the number of OpenMP threads that the call has set remains after it. */
void grid_call_keep_threads(void);
/* Calls of the context in use take turns with those of other such contexts, since they use MPI for one thread
 * at a time. No other thread is in a call of the context. A call that is open keeps what it has
 * entered. */
void grid_call_use_common_gate(bool on);
/* prepare() is called at the start of each exclusive call of the context in use that is not nested; NULL:
 * nothing. */
void grid_call_set_prepare(void (*prepare)(void));
/* No thread is inside an exclusive call of the context in use, or of those that share a gate, until the end;
 * for fork. */
void grid_call_lock_context(void);
void grid_call_unlock_context(void);
void grid_call_lock_common(void);
void grid_call_unlock_common(void);

/* Inside an exclusive call, until the end: no other thread is inside a call of a context that takes turns, or
 * inside this scope. */
typedef struct {
  struct grid_call_gate *gate; /* NULL: the call is one of such a context */
  bool is_without_lock;
} grid_call_entry;
grid_call_entry grid_call_exclude_contexts(void);
void grid_call_admit_contexts(const grid_call_entry *entry);
#define GRID_ALL_CONTEXTS_SCOPE                                                                     \
  const grid_call_entry contexts_scope __attribute__((cleanup(grid_call_admit_contexts), unused)) = \
      grid_call_exclude_contexts()

/* At the start of a function: no other thread is inside a call of the context until it returns. */
#define GRID_CALL_SCOPE GRID_NAMED_CALL_SCOPE(call_scope, true)
/* The same if the condition holds; otherwise the function must not touch data that another thread may
 * change. */
#define GRID_CALL_SCOPE_IF(condition) GRID_NAMED_CALL_SCOPE(call_scope, condition)
#define GRID_NAMED_CALL_SCOPE(name, condition) \
  const bool name __attribute__((cleanup(grid_call_end), unused)) = grid_call_begin(condition)
#endif
