/* part_pairs.h: an operator over pairs of values that lie here and there in two parts: pairs are noted, and
 * gathered, computed and put where they belong by the array. */
#ifndef GRID_PART_PAIRS_H
#define GRID_PART_PAIRS_H
#include "spmat/matrix/part.h"
#include "spmat/vector/bound.h"

enum { GRID_PAIRS = 256 };

typedef struct {
  const grid_binary *op;
  char *z; /* results, at their places */
  const char *x, *y;
  size_t xstep, ystep; /* 0: one value for all */
  size_t n;
  uint64_t at[GRID_PAIRS], from_x[GRID_PAIRS], from_y[GRID_PAIRS];
} grid_pairs;

static inline void grid_pairs_begin(grid_pairs *p, const grid_binary *op, char *z, const grid_part *x,
                                    const grid_part *y) {
  p->op = op;
  p->z = z;
  p->x = !x ? NULL : x->iso ? x->iso_val : x->by_row.val;
  p->y = !y ? NULL : y->iso ? y->iso_val : y->by_row.val;
  p->xstep = x && !x->iso, p->ystep = y && !y->iso;
  p->n = 0;
}
/* Computes what has been noted. */
void grid_pairs_end(grid_pairs *p);
/* z[at] = op(x[from_x], y[from_y]) */
static inline void grid_pairs_note(grid_pairs *p, uint64_t at, uint64_t from_x, uint64_t from_y) {
  if (p->n == GRID_PAIRS) grid_pairs_end(p);
  p->at[p->n] = at;
  p->from_x[p->n] = from_x;
  p->from_y[p->n] = from_y;
  p->n++;
}
#endif
