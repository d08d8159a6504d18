/* Grid_motif_counts by smaller panels (motif_counts.c), for tests. */
#ifndef GRID_MOTIF_COUNTS_H
#define GRID_MOTIF_COUNTS_H
#include "algos/algos.h"

/* As Grid_motif_counts; a panel has at most about `pairs` pairs of vertices on each process. */
GrB_Info grid_motif_counts_by_panels(GrB_Vector *count, GrB_Matrix A, uint64_t pairs);
#endif
