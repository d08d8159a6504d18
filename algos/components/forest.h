/* A breadth-first spanning forest of an undirected graph, its subtrees, and numbers in preorder (forest.c).
 */
#ifndef GRID_FOREST_H
#define GRID_FOREST_H
#include "algos/support/levels.h"

typedef struct {
  GrB_Index n;
  level_list levels; /* INT64: the parents of each level's vertices; of the roots, themselves */
  GrB_Vector parent; /* INT64: of all vertices but the roots */
  GrB_Vector size;   /* INT64: the number of vertices of each subtree */
  GrB_Vector number; /* INT64: in preorder, from 0 in each tree: a subtree's numbers follow each other */
} spanning_forest;

/* f becomes a forest of S, whose pattern is symmetric. The root of a component is its smallest vertex; which
 * tree it is depends on the grid. f is zero before; free it in any case. Collective. */
GrB_Info grid_forest_make(spanning_forest *f, GrB_Matrix S, GrB_Index n);
void grid_forest_free(spanning_forest *f);

/* v(u) becomes the sum, by op, over the subtree of u, of an INT64 vector v with entries for all vertices but
 * roots. Collective. */
GrB_Info grid_forest_sum(const spanning_forest *f, GrB_Vector v, GrB_BinaryOp op);
#endif
