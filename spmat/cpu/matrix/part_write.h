/* part_write.h: write-back of a matrix-valued operation on one process: C<mask> accum= T. */
#ifndef GRID_PART_WRITE_H
#define GRID_PART_WRITE_H
#include "spmat/matrix/part.h"

typedef struct {
  const grid_part *mask; /* NULL: all, or nothing when complemented */
  bool structure, complement, replace;
  GrB_BinaryOp accum; /* NULL: none */
  bool masked;        /* t has nothing that the mask does not allow */
} grid_part_writing;

/* Does the result depend on c at all? */
static inline bool grid_part_write_reads(const grid_part_writing *w) {
  return w->accum || ((w->mask || w->complement) && !w->replace);
}
/* z (empty, of the dimensions and the type of c) becomes what c is to be. c and the mask stay as they are (c
 * may be NULL where it is not read); t is consumed in every case. On failure z is empty. */
GrB_Info grid_part_write(grid_part *z, const grid_part *c, grid_part *t, const grid_part_writing *w);
#endif
