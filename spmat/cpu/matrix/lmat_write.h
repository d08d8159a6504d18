/* The local write-back of a matrix-valued operation: C<mask> accum= T. */
#ifndef GRID_LMAT_WRITE_H
#define GRID_LMAT_WRITE_H
#include "spmat/matrix/local_matrix.h"

typedef struct {
  const grid_local_matrix *mask; /* NULL: all, or none when complemented */
  bool structure, complement, replace;
  GrB_BinaryOp accum; /* NULL: none */
  bool masked;        /* t has no entries outside the mask */
} grid_lmat_write_spec;

/* Does the result depend on c at all? */
static inline bool grid_lmat_write_reads_c(const grid_lmat_write_spec *w) {
  return w->accum || ((w->mask || w->complement) && !w->replace);
}
/* z (empty, of c's dimensions and type) = the new contents of c. c and the mask do not change (c may be NULL
 * if it is not read); t is consumed in every case. On failure z is empty. */
GrB_Info grid_lmat_write_back(grid_local_matrix *z, const grid_local_matrix *c, grid_local_matrix *t,
                              const grid_lmat_write_spec *w);
#endif
