/* Grid_Matrix_distances on the CPU, on one process or where all share memory: each searches in its block. */
#ifndef GRID_DISTANCES_BLOCKS_H
#define GRID_DISTANCES_BLOCKS_H
#include "dist/matrix/matrix.h"
#include "spmat/lmat_graph.h"

/* A is on the host in one block; by columns, too, unless it is symmetric. x's block and its results, those of
 * this process's vertices, are set; its sources are those of the call. info: the outcome so far.
 * GRID_UNSUPPORTED, and nothing has changed: processes share no memory, or too little, or a block is
 * hypersparse and cannot be expanded. Collective, agreed on. */
GrB_Info grid_distances_by_blocks(GrB_Info info, const grid_distance_operands *x, GrB_Matrix A);
#endif
