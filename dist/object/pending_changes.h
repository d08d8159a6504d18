/* Pending changes of single entries (setElement, removeElement). Every process records the same ones, so
 * that recording costs no message; reads of an entry look here first. matrix_pending.c and
 * vector_pending.c merge them. */
#ifndef GRID_PENDING_CHANGES_H
#define GRID_PENDING_CHANGES_H
#include "dist/grid/process_grid.h"
#include "semiring/semiring.h"

typedef struct {
  uint64_t n, capacity;
  /* Row << col_bits | column, col being NULL; or, where both have more than 64 bits, the row, and col_bits is
   * 0. */
  uint64_t *position, *col;
  int col_bits; /* 0 in a vector, whose positions are indices */
  bool *removed;
  char *val; /* capacity values of the object's type */
  /* Hash table of the first `indexed` changes: for each position the number of its last change + 1, or 0 */
  uint64_t *table;
  uint64_t slots, indexed;
} grid_pending;

void grid_pending_free(grid_pending *p);
static inline uint64_t grid_pending_row(const grid_pending *p, uint64_t k) {
  return p->position[k] >> p->col_bits;
}
static inline uint64_t grid_pending_col(const grid_pending *p, uint64_t k) {
  return p->col ? p->col[k] : p->position[k] & ((UINT64_C(1) << p->col_bits) - 1);
}
/* The rows and columns of the object; a vector has one column. */
typedef struct {
  uint64_t rows, cols;
} grid_pending_dims;
/* Records that entry (i, j) becomes x, of type xtype, cast to `type`, or is removed if x is NULL. Called
 * by all processes; they agree on memory when the arrays grow. */
GrB_Info grid_pending_add(grid_pending *p, grid_head *head, grid_pending_dims dims, GrB_Type type,
                          const void *x, GrB_Type xtype, GrB_Index i, GrB_Index j);
/* Makes room for `more` changes, so that recording them cannot fail. Collective, agreed on. */
GrB_Info grid_pending_reserve(grid_pending *p, grid_head *head, grid_pending_dims dims, size_t size,
                              uint64_t more);
/* *pending: there is a change of (i, j). *v: its value, NULL for a removal. Collective; rarely needs a
 * message. */
GrB_Info grid_pending_search(grid_pending *p, grid_head *head, size_t size, GrB_Index i, GrB_Index j,
                             bool *pending, const void **v);
static inline GrB_Info grid_pending_find(grid_pending *p, grid_head *head, size_t size, GrB_Index i,
                                         GrB_Index j, bool *pending, const void **v) {
  *pending = false, *v = NULL;
  return p->n == 0 ? GrB_SUCCESS : grid_pending_search(p, head, size, i, j, pending, v);
}
/* The same for one process alone. grid_pending_index: puts all changes into the table; false: out of
 * memory. Then grid_pending_last: the number of the last change of (i, j), counted from 1, or 0. */
bool grid_pending_index(grid_pending *p);
uint64_t grid_pending_last(const grid_pending *p, GrB_Index i, GrB_Index j);
#endif
