/* part_union.h: the entries of two parts together, row by row: element-wise addition, accumulation, and what
 * a mask takes from one part and leaves of another. */
#ifndef GRID_PART_UNION_H
#define GRID_PART_UNION_H
#include "spmat/convert/part_align.h"

/* Which entries of a part take part: none, all, those in the mask, those outside it. */
typedef enum { GRID_KEEP_NONE, GRID_KEEP_ALL, GRID_KEEP_IN, GRID_KEEP_OUT } grid_keep;

typedef struct {
  const grid_part *x, *y; /* on the host, of the same dimensions; NULL where none is kept */
  grid_keep keep_x, keep_y;
  const grid_part *mask; /* where one of them asks for it */
  bool structure;        /* every entry of the mask counts, not the true ones alone */
  GrB_BinaryOp op;       /* of two entries at one place; NULL: there are none such */
} grid_union;

/* z (empty, of the same dimensions; its type is that of the result, to which x, y and op's result are cast)
 * becomes the union, with the axes that it wants. On failure it is empty. */
GrB_Info grid_part_union(grid_part *z, const grid_union *u);
#endif
