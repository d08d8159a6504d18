/* Reductions of the rows or columns of a local matrix, and of all its entries; it lies on the host. */
#ifndef GRID_LMAT_REDUCE_H
#define GRID_LMAT_REDUCE_H
#include "spmat/matrix/local_matrix.h"

/* Reduces the n vectors of c, an orientation of p. *found of them have entries, as bits says (all words are
 * written); z[v], of the monoid's type, is the result for such a vector. one (or NULL): a value of the
 * monoid's type that replaces each entry's. */
GrB_Info grid_lmat_sum_vectors(void *z, uint64_t *bits, uint64_t *found, const grid_local_matrix *p,
                               const grid_compressed *c, uint64_t n, GrB_Monoid monoid, const void *one);
/* *z = the reduction of all entries, of which there is at least one. */
GrB_Info grid_cpu_lmat_sum(void *z, const grid_local_matrix *p, GrB_Monoid monoid);
#endif
