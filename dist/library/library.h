/* Start and end of the grid in use, by parts: the default context has all of them (library_init.c), other
 * contexts the grid's own (contexts.c). */
#ifndef GRID_LIBRARY_H
#define GRID_LIBRARY_H
#include "dist/grid/process_grid.h"

/* grid_configure.c: settings of a grid that grid_start has started: those of its process 0's environment, and
 * what is measured. Collective. */
GrB_Info grid_configure(void);
/* Ends the grid; its objects can only be freed. Collective. */
void grid_close(void);

/* environment.c: reports misspelt names of settings on standard error. Local. */
void grid_environment_check(void);

/* contexts.c: before the first grid of the process starts; before the last one ends: frees the contexts that
 * are left, the newest first, and uses the default one. */
void grid_contexts_start(void);
void grid_contexts_end(void);
bool grid_context_find(uint32_t number, uintptr_t *context);
#endif
