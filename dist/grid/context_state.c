/* See context_state.h. The linker defines the two names, for each section whose name is a C identifier. */
#include "dist/grid/context_state.h"

#include <stdint.h>
#include <string.h>

int grid_contexts;

extern char __start_grid_context[] __attribute__((visibility("hidden")));
extern char __stop_grid_context[] __attribute__((visibility("hidden")));

size_t grid_context_state_size(void) {
  return (size_t)((uintptr_t)__stop_grid_context - (uintptr_t)__start_grid_context);
}

/* With link-time optimization a compiler sees that no marked variable is this array, and keeps their values
 * in registers over a copy. The empty instruction hides the address, and may change all of memory. */
static char *state(void) {
  char *at = __start_grid_context;
  __asm__ volatile("" : "+r"(at) : : "memory");
  return at;
}

__attribute__((noinline)) void grid_context_state_save(void *to) {
  memcpy(to, state(), grid_context_state_size());
}

__attribute__((noinline)) void grid_context_state_load(const void *from) {
  memcpy(state(), from, grid_context_state_size());
  __asm__ volatile("" : : : "memory");
}
