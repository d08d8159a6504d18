/* The degrees from which vertices are removed (Grid_Matrix_peel). */
#ifndef GRID_NEIGHBOR_COUNTS_H
#define GRID_NEIGHBOR_COUNTS_H
#include "algos/algos.h"

/* *degree becomes a new INT64 vector: how many neighbors other than itself each of n vertices has. The
 * pattern of S is symmetric. */
GrB_Info grid_neighbor_counts(GrB_Vector *degree, GrB_Matrix S, GrB_Index n);
#endif
