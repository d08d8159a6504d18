/* The weights of a graph's edges (weights.c). */
#ifndef GRID_WEIGHTS_H
#define GRID_WEIGHTS_H
#include "bench/program/program.h"

/* Whether they are read or drawn, and that those read are numbers. */
int weights_check(graph *g, const options *o);
/* The type of the graph's matrix: FP64 for weights that are read, INT32 for those drawn for two ends, FP32
 * for those drawn for a tuple, BOOL without any. */
GrB_Type weights_type(const graph *g);
/* The tuples into g->A with their weights; of several between two vertices the lightest counts. Collective.
 */
GrB_Info weights_build(graph *g, int flags);
/* g->A, which was opened in a file of pages, becomes the graph that is asked for (load_pages.c). Collective. */
GrB_Info pages_transform(graph *g);
/* A number from 0 up to 1, of 24 bits, that depends on the number of a tuple and the seed. Local. */
float weights_unit(uint64_t tuple, uint64_t seed);
/* A whole number from 1 to 255 that depends on the two ends alone, in either order. Local. */
int32_t weights_draw(uint64_t a, uint64_t b);
#endif
