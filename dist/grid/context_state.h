/* The state of a context's grid: all variables that are marked GRID_OF_CONTEXT
 * (semiring/threads/context_section.h), as one block of bytes. */
#ifndef GRID_CONTEXT_STATE_H
#define GRID_CONTEXT_STATE_H
#include <stdbool.h>
#include <stdint.h>

/* Once, before the first grid of the process starts: remembers the initial state. False: no memory. */
bool grid_context_state_start(void);
/* A state for a further context, initial and in use by no thread: where it is, as grid_context_enter takes
 * it; 0: no memory. It lasts as long as the process, in *block, which the caller keeps for leak checkers. */
uintptr_t grid_context_state_new(void **block);
void grid_context_state_reset(uintptr_t state);
#endif
