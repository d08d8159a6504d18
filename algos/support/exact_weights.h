/* An undirected graph whose weights are integers, so that sums of them do not depend on their order
 * (exact_weights.c). */
#ifndef GRID_EXACT_WEIGHTS_H
#define GRID_EXACT_WEIGHTS_H
#include "algos/algos.h"

/* *W becomes a new FP64 matrix: A, or A + A' where A is not known to be symmetric, times a power of two.
 * Values are rounded to integers above 0, whose sum is below 2^52; those of 0 are left out. Refuses weights
 * that are below 0, not a number or infinite. *W may be set on failure, too. */
GrB_Info grid_exact_weights(GrB_Matrix *W, GrB_Matrix A, const char *call);
#endif
