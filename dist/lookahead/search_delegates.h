/* The delegates of a search on several GPUs (dist/lookahead/search_grid.c; docs/design.md, "Delegates"). */
#ifndef GRID_SEARCH_DELEGATES_H
#define GRID_SEARCH_DELEGATES_H
#include "spmat/search_level.h"

/* Numbers the vertices with more than graph.delegates entries in their rows: makes w->delegates, or leaves it
 * empty where there are none, the threshold is below 0 (off, or the automatic rule, which wants none: they
 * were measured to be no faster), or some process has no memory for them. bits[0] is overwritten. Collective,
 * agreed on. */
GrB_Info grid_search_delegates_make(grid_level_search *w);
void grid_search_delegates_free(grid_level_search *w);
#endif
