/* Sums over the common neighbors of pairs of vertices (common_neighbors.c): squares, triangles, diamonds. */
#ifndef GRID_COMMON_NEIGHBORS_H
#define GRID_COMMON_NEIGHBORS_H
#include "algos/algos.h"

/* With c(v,x) = the number of common neighbors of v and x, INT64 vectors of sums over x other than v. A
 * vertex without neighbors has no entry. */
typedef struct {
  GrB_Vector squares;   /* over all x: c (c - 1) / 2, the cycles of four vertices with v and x opposite */
  GrB_Vector triangles; /* over the neighbors x of v: c, twice the triangles at v */
  GrB_Vector diamonds;  /* over the neighbors x of v: c (c - 1) / 2, pairs of triangles at the edge */
} grid_pair_sums;

/* S: from grid_undirected_pattern. A panel of rows has at most about `pairs` pairs on each process. The
 * diamonds stay NULL unless they are asked for. GrB_INVALID_VALUE, with `call` in the message: the sum of c^2
 * over all pairs is 2^62 or more. Free s in any case. Collective. */
GrB_Info grid_sum_pairs(grid_pair_sums *s, GrB_Matrix S, GrB_Index n, uint64_t pairs, bool diamonds,
                        const char *call);
void grid_pair_sums_free(grid_pair_sums *s);

/* *S becomes a new BOOL matrix: true at the entries of A and of its transpose, without loops. Collective. */
GrB_Info grid_undirected_pattern(GrB_Matrix *S, GrB_Matrix A, GrB_Index n);
#endif
