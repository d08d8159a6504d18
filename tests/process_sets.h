/* Tests on several processes: the sets of processes that exchange. */
#ifndef GRID_PROCESS_SETS_H
#define GRID_PROCESS_SETS_H
#include "dist/grid/process_grid.h"

static const grid_set sets[] = {GRID_SET_ROW, GRID_SET_COL, GRID_SET_ALL};

/* Rank in the grid of member r of this process's set. */
static inline int member(grid_set s, int r) {
  return s == GRID_SET_ROW   ? r * grid_ctx.R + grid_ctx.i
         : s == GRID_SET_COL ? grid_ctx.j * grid_ctx.R + r
                             : r;
}
#endif
