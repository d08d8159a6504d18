/* The delegates of a search on several GPUs (dist/search_grid.c; docs/design.md, "Delegates"). */
#ifndef GRID_SEARCH_DELEGATES_H
#define GRID_SEARCH_DELEGATES_H
#include "spmat/level.h"

/* Numbers the delegates that `wanted` asks for (grid_search_graph's delegates): makes w->delegates, or leaves
 * it empty where there are none, or some process has no memory for them. bits[0] is overwritten. Collective,
 * agreed on. */
GrB_Info grid_search_delegates_make(grid_level_share *w, int64_t wanted);
void grid_search_delegates_free(grid_level_share *w);
#endif
