/* The delegates of a search on several GPUs (dist/lookahead/search_grid.c; docs/how/delegates.md). */
#ifndef GRID_SEARCH_DELEGATES_H
#define GRID_SEARCH_DELEGATES_H
#include "spmat/search_level.h"

/* Indexes the vertices with more than graph.delegates entries in their rows: makes w->delegates. Leaves it
 * empty if there are none, the threshold is below 0 (off, or automatic, which uses none: they were
 * measured to be no faster), or some process lacks memory. Overwrites bits[0]. Collective, agreed on. */
GrB_Info grid_search_delegates_make(grid_level_search *w);
void grid_search_delegates_free(grid_level_search *w);
#endif
