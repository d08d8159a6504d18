/* Counting cliques (clique_count.c). */
#ifndef GRID_CLIQUE_COUNT_H
#define GRID_CLIQUE_COUNT_H
#include "algos/checkpoints/resume.h"

/* *count becomes the number of cliques of k vertices, 3 or more. *per_vertex, if not NULL, becomes a new
 * INT64 vector of those at each vertex, with no entry where there are none. L: from grid_orient. A panel of
 * cliques has at most about `pairs` pairs with further vertices on each process. Checkpoints are of `key`;
 * with k = 3 there are none. GrB_INVALID_VALUE, with `call` in the message: there are 2^62 or more.
 * Collective. */
GrB_Info grid_count_cliques(uint64_t *count, GrB_Vector *per_vertex, GrB_Matrix L, GrB_Index n, int64_t k,
                            uint64_t pairs, const checkpoint_key *key, const char *call);
/* As Grid_clique_count, with smaller panels, for tests. */
GrB_Info grid_clique_count_by_panels(uint64_t *count, GrB_Vector *per_vertex, GrB_Matrix A, int64_t k,
                                     uint64_t pairs);
#endif
