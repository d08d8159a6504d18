/* Grid_similarity by smaller panels (similarity.c), for tests. */
#ifndef GRID_SIMILARITY_H
#define GRID_SIMILARITY_H
#include "algos/algos.h"

/* As Grid_similarity; a panel's result has at most about `panel` entries on each process. */
GrB_Info grid_similarity_by_panels(GrB_Matrix *similarity, GrB_Matrix A, GrB_Matrix pairs, int measure,
                                   int64_t k, uint64_t panel);
#endif
