/* Grid_square_clustering by smaller panels (square_clustering.c), for tests. */
#ifndef GRID_SQUARE_CLUSTERING_H
#define GRID_SQUARE_CLUSTERING_H
#include "algos/algos.h"

/* As Grid_square_clustering; a panel has at most about `pairs` pairs of vertices on each process. */
GrB_Info grid_square_clustering_by_panels(GrB_Vector *coefficient, GrB_Matrix A, uint64_t pairs);
#endif
