/* Random vertices (random_vertices.c). */
#ifndef GRID_RANDOM_VERTICES_H
#define GRID_RANDOM_VERTICES_H
#include "bench/program/program.h"

/* `wanted` distinct vertices with an out-edge (a loop does not count), or all of them if they are fewer, into
 * vertex; *count is their number. The same on any number of processes. */
int draw_vertices(uint64_t *vertex, uint64_t *count, const graph *g, uint64_t wanted, uint64_t seed);
#endif
