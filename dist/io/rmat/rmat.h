/* The steps of the R-MAT generator, exposed for tests. */
#ifndef GRID_RMAT_H
#define GRID_RMAT_H
#include "dist/grid/process_grid.h"
#include "spmat/matrix/device_build.h"

/* Tuples first .. first + n - 1 of the graph, before scrambling. */
void grid_rmat_tuples(uint64_t *rows, uint64_t *cols, uint64_t first, uint64_t n, int scale, uint64_t seed);
/* Scrambles the vertices v[0..n): a bijection of [0, 2^scale). */
void grid_rmat_scramble(uint64_t *v, uint64_t n, int scale, uint64_t seed);

/* rmat_device.c: generates tuples on all processes, each by its job; *keys, in device memory, gets the *n
 * coordinates (grid_rmat_job) of the entries in this process's block. Collective, agreed on. */
GrB_Info grid_rmat_keys(grid_head *head, const grid_rmat_job *job, uint64_t **keys, uint64_t *n);
#endif
