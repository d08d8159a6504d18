/* device_retry.h: calls for whose vectors the device has no room while matrices have it: these make way, and the
 * call is made once more. */
#ifndef GRID_DEVICE_RETRY_H
#define GRID_DEVICE_RETRY_H
#include "dist/object/burble.h"
#include "spmat/device/device.h"

/* What began after so many refusals of device memory has found none: if there was one since, blocks of
 * matrices leave the device. Is another try worth it? The same on all processes. The room above registers it
 * when the library starts. */
extern bool (*grid_evict)(uint64_t refusals);

/* The value of `outcome`, as GRID_TRACE_CALL, which is worked out once more, and again, up to three times:
 * after an error it has left all as it was. */
#define GRID_RETRY(outcome)                                                         \
  __extension__({                                                                   \
    GrB_Info retry_info;                                                            \
    uint64_t retry_refusals;                                                        \
    int retries = 0;                                                                \
    do retry_refusals = grid_device_oom_count(), retry_info = (outcome);            \
    while (__builtin_expect(retry_info == GrB_OUT_OF_MEMORY, 0) && retries++ < 3 && \
           grid_evict(retry_refusals));                                             \
    retry_info;                                                                     \
  })
#define GRID_TRACE_CALL_RETRY(call, outcome, ...) GRID_TRACE_CALL(call, GRID_RETRY(outcome), __VA_ARGS__)
#endif
