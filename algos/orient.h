/* Each undirected edge in one direction (orient.c): what counting triangles begins with. */
#ifndef GRID_ORIENT_H
#define GRID_ORIENT_H
#include "algos/algos.h"

/* *S becomes a matrix with the pattern of A and of its transpose: A itself where A is known to be symmetric,
 * else a new one, whose values are 1 or, where A has edges both ways, 2. Give it to grid_symmetrize_free. */
GrB_Info grid_symmetrize(GrB_Matrix *S, GrB_Matrix A, GrB_Index n);
void grid_symmetrize_free(GrB_Matrix *S, GrB_Matrix A);

/* *L becomes a new BOOL matrix: of each two entries (i,j) and (j,i) of S, whose pattern is symmetric, one; no
 * loops. It has no cycles. From the larger number to the smaller, or from the lower degree to the higher
 * where that makes the rows so much shorter that it pays. */
GrB_Info grid_orient(GrB_Matrix *L, GrB_Matrix S, GrB_Index n);

/* *per_vertex (NULL: not asked for) becomes a new INT64 vector of the triangles at each vertex, with no entry
 * where there are none; *count the number of triangles in all. L: of grid_orient. */
GrB_Info grid_count_triangles(uint64_t *count, GrB_Vector *per_vertex, GrB_Matrix L, GrB_Index n);
#endif
