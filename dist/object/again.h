/* again.h: calls for whose vectors the device has no room while matrices have it: these make way, and the
 * call is made once more. */
#ifndef GRID_AGAIN_H
#define GRID_AGAIN_H
#include "dist/object/burble.h"
#include "spmat/device/device.h"

/* What began after so many refusals of device memory has found none: if there was one since, blocks of
 * matrices leave the device. Is another try worth it? The same on all processes. The room above registers it
 * when the library starts. */
extern bool (*grid_make_way)(uint64_t refusals);

/* The value of `outcome`, as GRID_TOLD, which is worked out once more, and again, up to three times: after an
 * error it has left all as it was. */
#define GRID_AGAIN(outcome)                                                       \
  __extension__({                                                                 \
    GrB_Info again_info;                                                          \
    uint64_t again_refusals;                                                      \
    int again = 0;                                                                \
    do again_refusals = grid_device_refusals(), again_info = (outcome);           \
    while (__builtin_expect(again_info == GrB_OUT_OF_MEMORY, 0) && again++ < 3 && \
           grid_make_way(again_refusals));                                        \
    again_info;                                                                   \
  })
#define GRID_TOLD_AGAIN(call, outcome, ...) GRID_TOLD(call, GRID_AGAIN(outcome), __VA_ARGS__)
#endif
