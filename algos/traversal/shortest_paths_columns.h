/* Distances from several sources at once (shortest_paths_columns.c). */
#ifndef GRID_SHORTEST_PATHS_COLUMNS_H
#define GRID_SHORTEST_PATHS_COLUMNS_H
#include "algos/support/paths.h"

/* Are they found sooner at once than one after the other? The same on all processes. */
bool grid_shortest_paths_at_once(GrB_Index n, GrB_Index nsources);
/* *distance becomes a new n x nsources matrix of d's type: a column for each source. No weight is below 0.
 * Collective. */
GrB_Info grid_shortest_paths_columns(GrB_Matrix *distance, GrB_Matrix A, const GrB_Index *sources,
                                     GrB_Index nsources, const distances *d);
#endif
