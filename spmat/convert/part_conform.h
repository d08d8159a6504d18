/* part_conform.h: a freshly made part gets the axes that its entries want. */
#ifndef GRID_PART_CONFORM_H
#define GRID_PART_CONFORM_H
#include "spmat/matrix/part.h"

/* p has by_row, on the host, and nothing else. Each axis becomes a list of the vectors that hold entries, or
 * all of them, by the rule of part.h (GRID_HYPER): the form of an axis depends on the entries alone. On
 * failure p is as it was. */
GrB_Info grid_part_conform(grid_part *p);
/* That rule: does an axis of so many entries and non-empty vectors want a list of them? */
bool grid_axis_wants_list(const grid_axis *a, uint64_t entries, uint64_t used);

/* Rows of a part that list none of the vectors of an axis. `part` borrows all that need not be made. */
typedef struct {
  grid_part part;
  uint32_t *ptr, *idx; /* made, */
  uint64_t *wide;      /* ... this in ptr's place where from has such offsets */
} grid_unlisted;
/* from: by row, on the host, of fewer than 2^32 columns, and rows, if those are not to be listed
 * either. *u is to be freed before from, after an error too. */
GrB_Info grid_part_unlist(grid_unlisted *u, const grid_part *from, bool rows);
void grid_unlisted_free(grid_unlisted *u);
#endif
