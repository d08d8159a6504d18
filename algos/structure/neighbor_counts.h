/* Degrees without loops. */
#ifndef GRID_NEIGHBOR_COUNTS_H
#define GRID_NEIGHBOR_COUNTS_H
#include "algos/algos.h"

/* *degree becomes a new INT64 vector with an entry for each of n vertices: the entries off the diagonal in
 * its row of A (by_column: in its column). */
GrB_Info grid_neighbor_counts(GrB_Vector *degree, GrB_Matrix A, GrB_Index n, bool by_column);
#endif
