/* Lists of the rows and columns that hold entries, which a hypersparse page file numbers (docs/formats.md).
 */
#ifndef GRID_NONEMPTY_LISTS_H
#define GRID_NONEMPTY_LISTS_H
#include "dist/outofcore/sort/unsorted_tuples.h"

/* The rows, ascending, then the columns. */
typedef struct {
  uint64_t *id, rows, cols;
} grid_nonempty_lists;

/* Lists the rows and columns of all processes' tuples, which are pairs. mirror: each stands for its mirror
 * image, too. To be freed. Collective, agreed on. */
GrB_Info grid_nonempty_lists_make(grid_nonempty_lists *x, grid_tuple_buffer *u, bool mirror);
void grid_nonempty_lists_free(grid_nonempty_lists *x);
/* Replaces the row and column of a tuple of the list by their numbers. */
void grid_nonempty_lists_number(const grid_nonempty_lists *x, uint64_t *row, uint64_t *col);
#endif
