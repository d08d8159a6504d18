/* Eigenvalues and eigenvectors of a small dense symmetric matrix, on each process by itself. */
#ifndef GRID_DENSE_EIGENPAIRS_H
#define GRID_DENSE_EIGENPAIRS_H
#include <stdbool.h>
#include <stdint.h>

/* Of the symmetric m x m matrix a, by rows: value[0..m) descending; row c of `vectors` is the vector of
 * value[c], of norm 1. Overwrites a. */
void grid_dense_eigenpairs(uint64_t m, double *a, double *value, double *vectors);
#endif
