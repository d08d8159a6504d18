/* Public calls of one process are serialized, so that threads of a program may call the library without
 * locks of their own (docs/tutorials/c_mpi.md, "Threads"). Data computed lazily from a shared input, such as
 * the columns of a matrix, is computed inside such a call, before another thread can read it. */
#ifndef GRID_API_LOCK_H
#define GRID_API_LOCK_H
#include <stdbool.h>

/* exclusive: waits until no other thread is inside an exclusive call. Nested calls of the same thread do
 * not wait. Returns `exclusive`. */
bool grid_call_begin(bool exclusive);
/* Ends the call begun with *exclusive. */
void grid_call_end(const bool *exclusive);
/* The calling thread's calls use as many OpenMP threads as *threads says when they begin (a context's
 * number); NULL: as before. */
void grid_call_engage_threads(const _Atomic int *threads);
/* What calls of threads use that have engaged nothing (0: their own number). */
void grid_call_set_default_threads(int threads);
/* Inside a call: the number of OpenMP threads that the call has set remains after it. */
void grid_call_keep_threads(void);
/* No thread is inside an exclusive call until the end; for fork. */
void grid_call_lock_all(void);
void grid_call_unlock_all(void);
/* Is the calling thread inside a call? */
bool grid_call_is_open(void);

/* At the start of a function: no other thread is inside a call until it returns. */
#define GRID_CALL_SCOPE GRID_NAMED_CALL_SCOPE(call_scope, true)
/* The same if the condition holds; otherwise the function must not touch data that another thread may
 * change. */
#define GRID_CALL_SCOPE_IF(condition) GRID_NAMED_CALL_SCOPE(call_scope, condition)
#define GRID_NAMED_CALL_SCOPE(name, condition) \
  const bool name __attribute__((cleanup(grid_call_end), unused)) = grid_call_begin(condition)
#endif
