/* See context_state.h. The linker defines the two names, for each section whose name is a C identifier. */
#include "dist/grid/context_state.h"

#include <stdlib.h>
#include <string.h>

#include "semiring/threads/context_section.h"

extern char __start_grid_context[] __attribute__((visibility("hidden")));
extern char __stop_grid_context[] __attribute__((visibility("hidden")));

static char *initial; /* a copy of the section before any grid has started */

static size_t state_size(void) {
  return (size_t)((uintptr_t)__stop_grid_context - (uintptr_t)__start_grid_context);
}

bool grid_context_state_start(void) {
  if (initial) return true;
  initial = malloc(state_size());
  if (initial) memcpy(initial, __start_grid_context, state_size());
  return initial != NULL;
}

void grid_context_state_reset(uintptr_t state) {
  memcpy((void *)((uintptr_t)__start_grid_context + state), initial, state_size());
}

/* Its variables are aligned as in the section, to cache lines at most. */
uintptr_t grid_context_state_new(void **block) {
  const uintptr_t line = 64, start = (uintptr_t)__start_grid_context;
  *block = initial ? malloc(state_size() + line) : NULL;
  if (!*block) return 0;
  const uintptr_t state = (uintptr_t)*block + (start - (uintptr_t)*block) % line - start;
  grid_context_state_reset(state);
  return state;
}
