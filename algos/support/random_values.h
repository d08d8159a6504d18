/* Numbers drawn by a hash of their position, so that they are the same on every grid. */
#ifndef GRID_RANDOM_VALUES_H
#define GRID_RANDOM_VALUES_H
#include "algos/algos.h"

/* F(i,j) = scale times a number from 0 to 1, in all of the n x k FP64 matrix F. Other keys give others. */
GrB_Info grid_draw_matrix(GrB_Matrix F, GrB_Index n, GrB_Index k, double scale, uint64_t key);
#endif
