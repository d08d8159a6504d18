/* Calls whose vectors do not fit the device while matrices occupy it: matrices are evicted and the call is
 * retried. */
#ifndef GRID_DEVICE_RETRY_H
#define GRID_DEVICE_RETRY_H
#include "dist/grid/hooks.h"
#include "dist/object/burble.h"
#include "spmat/device/device.h"

/* Evaluates `outcome` as GRID_TRACE_CALL does, again after GrB_OUT_OF_MEMORY, up to three times. A failed
 * evaluation must leave everything unchanged. */
#define GRID_RETRY(outcome)                                                         \
  __extension__({                                                                   \
    GrB_Info retry_info;                                                            \
    uint64_t retry_refusals;                                                        \
    int retries = 0;                                                                \
    do retry_refusals = grid_device_oom_count(), retry_info = (outcome);            \
    while (__builtin_expect(retry_info == GrB_OUT_OF_MEMORY, 0) && retries++ < 3 && \
           grid_hooks.evict(retry_refusals));                                       \
    retry_info;                                                                     \
  })
#define GRID_TRACE_CALL_RETRY(call, outcome, ...) GRID_TRACE_CALL(call, GRID_RETRY(outcome), __VA_ARGS__)
#endif
