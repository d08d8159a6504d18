/* Vertices drawn by chance (random_vertices.c). */
#ifndef GRID_RANDOM_VERTICES_H
#define GRID_RANDOM_VERTICES_H
#include "bench/program/program.h"

/* `wanted` distinct vertices with an edge out (a loop doesn't count), or all there are if they are fewer,
 * into vertex; *count is their number. The same on any number of processes. */
int draw_vertices(uint64_t *vertex, uint64_t *count, const graph *g, uint64_t wanted, uint64_t seed);
#endif
