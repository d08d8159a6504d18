/* The parts of the R-MAT generator, apart from each other, so that a test can look at them. */
#ifndef GRID_RMAT_H
#define GRID_RMAT_H
#include <stdint.h>

/* Tuples number first .. first + n - 1 of the graph, with the ids as the quadrants give them. */
void grid_rmat_tuples(uint64_t *rows, uint64_t *cols, uint64_t first, uint64_t n, int scale, uint64_t seed);
/* Renames the vertices v[0..n): a bijection of [0, 2^scale). */
void grid_rmat_scramble(uint64_t *v, uint64_t n, int scale, uint64_t seed);
#endif
