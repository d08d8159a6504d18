/* State of a grid. A variable of static storage that is marked GRID_OF_CONTEXT stands in a section of its own
 * in the program. The default context has its variables there, each further context in a copy of the section
 * (dist/grid/context_state.h). A thread has one context in use, and reaches its variables through the
 * distance of the copy from the section:
 *
 *   static struct {...} default_state GRID_OF_CONTEXT;
 *   #define state GRID_IN_CONTEXT(default_state)
 *
 * All code then uses `state`. A marked variable has no initial pointer to another one. Not for what belongs
 * to the process. `used`: the compiler does not see the accesses through the distance. */
#ifndef GRID_CONTEXT_SECTION_H
#define GRID_CONTEXT_SECTION_H
#include <stdbool.h>
#include <stdint.h>

#define GRID_OF_CONTEXT __attribute__((section("grid_context"), used))
/* In the declaration of one in a header: its address is then known without a load. */
#define GRID_DECLARED_OF_CONTEXT  __attribute__((visibility("hidden")))
#define GRID_IN_CONTEXT(variable) (*(__typeof__(&(variable)))grid_context_address(&(variable)))

/* Of the calling thread; 0: the default context. C++ has no _Thread_local, and nvcc reads this header. */
extern __thread uintptr_t grid_context_distance __attribute__((visibility("hidden")));

static inline bool grid_context_is_default(void) {
  return grid_context_distance == 0;
}
static inline void *grid_context_address(const void *variable) {
  return (void *)((uintptr_t)variable + grid_context_distance);
}

/* A thread that works for another one, in an OpenMP region or of its own, has no context itself. Where it
 * reads variables of one, it is in the other thread's context for a scope:
 *
 *   const uintptr_t context = grid_context_distance;
 *   #pragma omp parallel for
 *   for (...) {
 *     GRID_WORKER_SCOPE(context);
 */
#define GRID_WORKER_SCOPE(context)                                                    \
  const uintptr_t worker_scope __attribute__((cleanup(grid_context_leave), unused)) = \
      grid_context_enter(context)

static inline uintptr_t grid_context_enter(uintptr_t context) {
  const uintptr_t before = grid_context_distance;
  grid_context_distance = context;
  return before;
}
static inline void grid_context_leave(const uintptr_t *before) {
  grid_context_distance = *before;
}
#endif
