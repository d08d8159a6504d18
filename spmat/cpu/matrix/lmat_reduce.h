/* lmat_reduce.h: sums of the rows or columns of a part, and of all its entries; the part lies on the host. */
#ifndef GRID_LMAT_REDUCE_H
#define GRID_LMAT_REDUCE_H
#include "spmat/matrix/local_matrix.h"

/* Sums over the n vectors of c, an orientation of p: *found of them have entries, and bits says which (all
 * words are written); z[v], of the monoid's type, is the sum of vector v then. one (or NULL): a value of the
 * monoid's type that stands in place of each entry's. */
GrB_Info grid_lmat_sum_vectors(void *z, uint64_t *bits, uint64_t *found, const grid_local_matrix *p,
                               const grid_compressed *c, uint64_t n, GrB_Monoid monoid, const void *one);
/* *z = the sum of all entries, if there are any (*present). */
GrB_Info grid_cpu_lmat_sum(void *z, bool *present, const grid_local_matrix *p, GrB_Monoid monoid);
#endif
