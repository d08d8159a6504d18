/* lmat_write.h: write-back of a matrix-valued operation on one process: C<mask> accum= T. */
#ifndef GRID_LMAT_WRITE_H
#define GRID_LMAT_WRITE_H
#include "spmat/matrix/local_matrix.h"

typedef struct {
  const grid_local_matrix *mask; /* NULL: all, or nothing when complemented */
  bool structure, complement, replace;
  GrB_BinaryOp accum; /* NULL: none */
  bool masked;        /* t has nothing that the mask does not allow */
} grid_lmat_write_spec;

/* Does the result depend on c at all? */
static inline bool grid_lmat_write_reads_c(const grid_lmat_write_spec *w) {
  return w->accum || ((w->mask || w->complement) && !w->replace);
}
/* z (empty, of the dimensions and the type of c) becomes what c is to be. c and the mask stay as they are (c
 * may be NULL where it is not read); t is consumed in every case. On failure z is empty. */
GrB_Info grid_lmat_write_back(grid_local_matrix *z, const grid_local_matrix *c, grid_local_matrix *t,
                              const grid_lmat_write_spec *w);
#endif
