/* Calls on short objects that need no message. Only lack of memory can make such a call fail on one process
 * alone, so each process has a pool of blocks (semiring/support/mem.h) for requests that the system refuses.
 * All processes then know that all succeed, and need not agree on it. They agree on full pools instead,
 * before every GRID_SHORT_CALLS such calls. */
#ifndef GRID_SHORT_CALL_H
#define GRID_SHORT_CALL_H
#include "dist/grid/process_grid.h"

enum {
  GRID_SHORT_CALLS = 32,
  GRID_SHORT_CALL_REQUESTS = 8 /* requests of memory that a call may make */
};

/* The call that begins requests at most GRID_SHORT_CALL_REQUESTS times at most `count` values of `size`
 * bytes. All processes call with the same numbers, which may be too large for a short call. Collective. */
void grid_short_call_begin(uint64_t count, uint64_t size);
/* Ends it, as grid_agree; the outcome of a short call is the same on every process. */
GrB_Info grid_short_call_agree(grid_head *head, GrB_Info info);
void grid_short_call_stop(void);
#endif
