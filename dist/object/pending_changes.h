/* Changes of single entries that wait: every process notes the same ones, so that noting costs no message,
 * and an entry that is read is looked up among them first. What they become is the matrix's
 * (matrix_pending.c) and the vector's (vector_pending.c). */
#ifndef GRID_PENDING_CHANGES_H
#define GRID_PENDING_CHANGES_H
#include "dist/grid/process_grid.h"
#include "semiring/semiring.h"

typedef struct {
  uint64_t n, capacity;
  uint64_t *row, *col; /* col is 0 in a vector */
  bool *removed;
  char *val; /* capacity values of the object's type */
  /* of the first `indexed` of them the last of each place, by a hash of the place: number + 1, or 0 */
  uint64_t *table;
  uint64_t slots, indexed;
} grid_pending;

void grid_pending_free(grid_pending *p);
/* Notes that entry (i, j) becomes x of type xtype, cast to `type`, or, x == NULL, goes. All processes do. Now
 * and then they agree on memory. */
GrB_Info grid_pending_add(grid_pending *p, grid_head *head, GrB_Type type, const void *x, GrB_Type xtype,
                          GrB_Index i, GrB_Index j);
/* So many more can be noted without failing. Collective, agreed on. */
GrB_Info grid_pending_reserve(grid_pending *p, grid_head *head, size_t size, uint64_t more);
/* Does a change of (i, j) wait? *v: its value, NULL for a removal. Collective, seldom with a message. */
GrB_Info grid_pending_find(grid_pending *p, grid_head *head, size_t size, GrB_Index i, GrB_Index j,
                           bool *waits, const void **v);
/* The same by one process alone: all are in the table, or there is no memory. Then, the number of the last
 * change of (i, j), counted from 1, or 0. */
bool grid_pending_index(grid_pending *p);
uint64_t grid_pending_last(const grid_pending *p, GrB_Index i, GrB_Index j);
#endif
