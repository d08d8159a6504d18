/* The weights of a graph's edges (weights.c). */
#ifndef GRID_WEIGHTS_H
#define GRID_WEIGHTS_H
#include "bench/program/program.h"

/* Decides, by the options, whether the graph has weights, and whether they are drawn. has: its file has some.
 * Local. */
void weights_choose(graph *g, const options *o, bool has);
/* The same for a graph whose tuples are read, and checks that those read are numbers. */
int weights_check(graph *g, const options *o);
/* Weights from a file that change sign with the direction are refused. */
int weights_check_skew(const graph *g, const options *o);
/* The type of the graph's matrix: FP64 for weights from the file, INT32 for those hashed from the vertices,
 * FP32 for those hashed from a tuple, BOOL without weights. */
GrB_Type weights_type(const graph *g);
/* Builds g->A from the tuples with their weights; of parallel edges the lightest counts. Collective. */
GrB_Info weights_build(graph *g, int flags);
/* Replaces the values of g->A, a pattern from a page file, by weights hashed from the vertices. Collective.
 */
GrB_Info weights_draw_all(graph *g);
/* A number from 0 up to 1, of 24 bits, that depends on the number of a tuple and the seed. Local. */
float weights_unit(uint64_t tuple, uint64_t seed);
/* An integer from 1 to 255 that depends on the two vertices only, in either order. Local. */
int32_t weights_draw(uint64_t a, uint64_t b);
#endif
