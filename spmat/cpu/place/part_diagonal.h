/* part_diagonal.h: a part with a vector on a diagonal. */
#ifndef GRID_PART_DIAGONAL_H
#define GRID_PART_DIAGONAL_H
#include "spmat/matrix/part.h"
#include "spmat/vector/chunk.h"

/* The empty part t, of v's type, gets v's entries: index i of the chunk in local row `row` + i, column `col`
 * + i. */
GrB_Info grid_part_diagonal(grid_part *t, const grid_chunk *v, uint64_t row, uint64_t col);
#endif
