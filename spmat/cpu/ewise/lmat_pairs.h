/* Applies an operator to pairs of scattered values of two local matrices: pairs are collected, then gathered,
 * computed and scattered as arrays. */
#ifndef GRID_LMAT_PAIRS_H
#define GRID_LMAT_PAIRS_H
#include "spmat/matrix/local_matrix.h"
#include "spmat/vector/bound_operator.h"

enum { GRID_PAIRS = 256 };

/* Positions are relative to the first entry of a task, in the result and in each operand, and ascend. */
typedef struct {
  const grid_binary *op;
  char *z; /* the task's results */
  const grid_local_matrix *x, *y;
  uint64_t first_x, first_y;
  size_t n;
  uint32_t at[GRID_PAIRS], from_x[GRID_PAIRS], from_y[GRID_PAIRS];
} grid_pairs;

/* Computes the collected pairs. */
void grid_pairs_end(grid_pairs *p);
/* Adds the pair z[at] = op(x's entry from_x, y's entry from_y). */
static inline void grid_pairs_add(grid_pairs *p, uint64_t at, uint32_t from_x, uint32_t from_y) {
  if (p->n == GRID_PAIRS) grid_pairs_end(p);
  p->at[p->n] = (uint32_t)at;
  p->from_x[p->n] = from_x;
  p->from_y[p->n] = from_y;
  p->n++;
}

/* z[k] = op(x's entry first_x + from_x[k], y's first_y + from_y[k]) for k < n */
void grid_pairs_run(const grid_binary *op, char *z, const grid_local_matrix *x, const grid_local_matrix *y,
                    uint64_t first_x, const uint32_t *from_x, uint64_t first_y, const uint32_t *from_y,
                    uint64_t n);
#endif
