/* Each undirected edge in one direction (orient.c): the first step of counting triangles. */
#ifndef GRID_ORIENT_H
#define GRID_ORIENT_H
#include "algos/algos.h"

/* *S becomes a matrix with the pattern of A and of its transpose. It is A itself if A is known to be
 * symmetric and has a predefined type, which casts. Else it is a new one with the values 1 or, where A has
 * both directions, 2. Free it by grid_symmetrize_free. */
GrB_Info grid_symmetrize(GrB_Matrix *S, GrB_Matrix A, GrB_Index n);
void grid_symmetrize_free(GrB_Matrix *S, GrB_Matrix A);

/* *L becomes a new BOOL matrix: one of each two entries (i,j) and (j,i) of S, whose pattern is symmetric; no
 * loops. It has no cycles. Edges point from the larger number to the smaller, or from the lower degree to
 * the higher where the shorter rows save more than that order costs. */
GrB_Info grid_orient(GrB_Matrix *L, GrB_Matrix S, GrB_Index n);

/* The same, always from the lower degree to the higher, of equal ones from the smaller number. degree: INT64,
 * the number of entries in each row of S. */
GrB_Info grid_orient_by_degree(GrB_Matrix *L, GrB_Matrix S, GrB_Vector degree, GrB_Index n);

/* Calls add(sums, M) for parts M of the rows of L, of L's `type`, with a checkpoint after each: the `state`,
 * which `add` changes (resume.h). Without a folder for checkpoints: once, for L itself. */
GrB_Info grid_for_parts(const char *name, GrB_Matrix L, GrB_Type type, const Grid_Checkpoint_Item *state,
                        int items, GrB_Info (*add)(void *sums, GrB_Matrix M), void *sums);

/* *per_vertex (if not NULL) becomes a new INT64 vector of the triangles at each vertex, with no entry where
 * there are none; *count becomes the number of triangles. L: from grid_orient. */
GrB_Info grid_count_triangles(uint64_t *count, GrB_Vector *per_vertex, GrB_Matrix L, GrB_Index n);
#endif
