/* Searches from many vertices as a step of another algorithm (bfs_many.c). */
#ifndef GRID_BFS_MANY_H
#define GRID_BFS_MANY_H
#include "algos/algos.h"

/* Grid_bfs_many to the deepest level, without checkpoints. */
GrB_Info grid_bfs_many_step(GrB_Matrix *level, GrB_Matrix A, const GrB_Index *sources, GrB_Index nsources);
#endif
