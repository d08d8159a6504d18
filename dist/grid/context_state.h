/* The state of the grid in use: all variables that are marked GRID_OF_CONTEXT
 * (semiring/support/context_section.h), as one block of bytes. */
#ifndef GRID_CONTEXT_STATE_H
#define GRID_CONTEXT_STATE_H
#include <stddef.h>

/* Contexts of this process beside the default one. */
extern int grid_contexts;

size_t grid_context_state_size(void);
/* Copies the state to or from `size` bytes. No other thread is in a call. */
void grid_context_state_save(void *to);
void grid_context_state_load(const void *from);
#endif
