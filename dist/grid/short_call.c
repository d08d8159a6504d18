/* See short_call.h. */
#include "dist/grid/short_call.h"

#include "semiring/support/mem.h"
#include "semiring/support/tuning.h"
#include "semiring/threads/context_section.h"

/* Calls that agree on their outcome after a process had no memory for its pool. */
enum { CALLS_WITHOUT_POOL = 256 };

static struct {
  grid_mem_pool pool;
  unsigned calls;   /* left until pools must be full */
  unsigned no_pool; /* left of CALLS_WITHOUT_POOL */
  bool is_short;    /* the call that has begun */
} default_state GRID_OF_CONTEXT;
#define state GRID_IN_CONTEXT(default_state)

static bool fill_pools(void) {
  if (state.no_pool) {
    state.no_pool--;
    return false;
  }
  uint64_t lacking = !grid_mem_pool_fill(&state.pool, GRID_SHORT_CALLS * GRID_SHORT_CALL_REQUESTS);
  const GrB_Info info = grid_ctx.transport->allreduce(GRID_SET_ALL, &lacking, 1, GRID_SUM);
  if (info != GrB_SUCCESS || lacking)
    state.no_pool = CALLS_WITHOUT_POOL;
  else
    state.calls = GRID_SHORT_CALLS;
  return state.calls > 0;
}

static void end(void) {
  state.is_short = false;
  grid_mem_pool_use(NULL);
}

void grid_short_call_begin(uint64_t count, uint64_t size) {
  if (state.is_short) end(); /* of a call that returned early */
  if (grid_ctx.P == 1 || count > GRID_POOL_BLOCK / size || grid_device_is_open() || !grid_tune.memory_pool)
    return;
  if (!state.calls && !fill_pools()) return;
  state.calls--;
  state.is_short = true;
  grid_mem_pool_use(&state.pool);
}

GrB_Info grid_short_call_agree(grid_head *head, GrB_Info info) {
  if (!state.is_short) return grid_agree(head, info);
  end();
  return info == GrB_SUCCESS || !head ? info : grid_fail(head, info, "%s", grid_last_error());
}

void grid_short_call_stop(void) {
  grid_mem_pool_free(&state.pool);
  state.calls = state.no_pool = 0;
}
