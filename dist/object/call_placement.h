/* Where a public call is computed while the device is on: on the device, or, if all its objects are small, on
 * the host, as if the device was off. The one place for this rule; the thresholds are device_vector_min and
 * device_matrix_min of semiring/support/tuning.h.
 *
 * All processes decide alike, since they know the same dimensions, entries and earlier decisions: each object
 * remembers whether it was last used on the device (grid_head). One that was stays there for its next
 * GRID_CALLS_BEFORE_MOVE small calls. So in a loop that uses it in a large call, too, nothing is copied back
 * and forth, and copies between the memories cost less than those calls. */
#ifndef GRID_CALL_PLACEMENT_H
#define GRID_CALL_PLACEMENT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spmat/device/device.h"

/* A copy to the host waits for the device, and a copy back follows: estimated as 16 short calls there. */
enum { GRID_CALLS_BEFORE_MOVE = 16 };

/* Calls of the default context while its device was on; and objects that left the device by this rule. */
typedef struct {
  uint64_t host, device, moves;
} grid_placement_counts;
extern grid_placement_counts grid_placed;

/* Decides for a call on these vectors and matrices (others, NULL and freed ones are ignored) that computes
 * `work` entries, or 0: not more than they have. A call inside another one is computed where that is. One
 * without objects and work is small until the device is open; then it is not decided on. Returns whether the
 * decision was made here; grid_call_placement_end then ends it. The device is on. */
bool grid_call_placement_begin(uint64_t work, const void *const *objects, size_t n);
void grid_call_placement_end(void);
/* Counts the next call, which makes so many short ones, as these. */
void grid_call_placement_count(uint64_t calls, const void *const *objects, size_t n);
/* Is the present call computed on the host because it is small? */
bool grid_call_is_small(void);

#define GRID_CALL_PLACEMENT(work, ...)                                   \
  (grid_device_is_on() &&                                                \
   grid_call_placement_begin((work), (const void *const[]){__VA_ARGS__}, \
                             sizeof((const void *const[]){__VA_ARGS__}) / sizeof(void *)))
static inline void grid_call_placement_leave(const bool *begun) {
  if (*begun) grid_call_placement_end();
}
/* At the start of a function, within its call scope: the rest of it is one call on these objects. */
#define GRID_PLACED_CALL(work, ...)                                                    \
  const bool placed_call __attribute__((cleanup(grid_call_placement_leave), unused)) = \
      GRID_CALL_PLACEMENT(work, __VA_ARGS__)
#endif
