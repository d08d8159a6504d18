/* The rows and columns that hold entries, which a hypersparse page file numbers and lists (docs/formats.md).
 * A process holds those of its own tuples with their numbers, and a share of each list.
 */
#ifndef GRID_NONEMPTY_LISTS_H
#define GRID_NONEMPTY_LISTS_H
#include "dist/outofcore/pages/page_file_header.h"
#include "dist/outofcore/sort/unsorted_tuples.h"

/* The list of rows, or of columns, of all processes' tuples, ascending; an index's number is its position. */
typedef struct {
  uint64_t total;               /* length of the list */
  uint64_t *id, n;              /* indices of this process's tuples, ascending; */
  uint32_t *number;             /* their numbers */
  uint64_t *share, first, held; /* share: the `held` indices from number `first` on */
} grid_nonempty_list;

typedef struct {
  grid_nonempty_list list[2]; /* rows, columns */
  bool mirror;                /* the columns are the rows */
} grid_nonempty_lists;

/* Lists the rows and columns of all processes' tuples, which are pairs. mirror: each stands for its mirror
 * image, too. To be freed, after an error too. Collective, agreed on. */
GrB_Info grid_nonempty_lists_make(grid_nonempty_lists *x, grid_tuple_buffer *u, bool mirror);
void grid_nonempty_lists_free(grid_nonempty_lists *x);
static inline const grid_nonempty_list *grid_nonempty_rows(const grid_nonempty_lists *x) {
  return &x->list[0];
}
static inline const grid_nonempty_list *grid_nonempty_columns(const grid_nonempty_lists *x) {
  return &x->list[!x->mirror];
}
/* Replaces the row and column of one of this process's tuples by their numbers. */
void grid_nonempty_lists_number(const grid_nonempty_lists *x, uint64_t *row, uint64_t *col);
/* *name, to be freed: those of both lists that this process writes (grid_names_share). h has the lengths of
 * the lists. Collective, agreed on. */
GrB_Info grid_nonempty_lists_names(uint64_t **name, const grid_nonempty_lists *x, const grid_pages_head *h);
#endif
