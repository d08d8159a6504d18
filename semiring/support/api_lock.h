/* api_lock.h: public calls of one process run one at a time, so that threads of a program may call the library
 * without locks of their own (docs/programs.md, "Threads"). What an operation derives from a shared input,
 * the columns of a matrix, say, is made inside such a call, once, before another thread can read it. */
#ifndef GRID_API_LOCK_H
#define GRID_API_LOCK_H
#include <stdbool.h>

/* alone: waits until no other thread is inside a call that was begun so. A thread that is inside one may
 * begin another one, which does not wait. Returns `alone`. */
bool grid_call_begin(bool exclusive);
/* Ends the call that was begun so. */
void grid_call_end(const bool *exclusive);
/* Is the calling thread inside a call? */
bool grid_call_is_open(void);

/* At the head of a function: until it returns no other thread is inside a call. */
#define GRID_CALL_SCOPE GRID_NAMED_CALL_SCOPE(call_scope, true)
/* The same where a condition holds; else the function touches nothing that another thread may change. */
#define GRID_CALL_SCOPE_IF(condition) GRID_NAMED_CALL_SCOPE(call_scope, condition)
#define GRID_NAMED_CALL_SCOPE(name, condition) \
  const bool name __attribute__((cleanup(grid_call_end), unused)) = grid_call_begin(condition)
#endif
