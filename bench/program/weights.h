/* The weights of a graph's edges (weights.c). */
#ifndef BENCH_PROGRAM_WEIGHTS_H
#define BENCH_PROGRAM_WEIGHTS_H
#include "bench/program/program.h"

/* Whether they are read or drawn, and that those read are numbers. */
int weights_check(graph *g, const options *o);
/* The type of the graph's matrix: FP64 for weights that are read, INT32 for drawn ones, BOOL without any. */
GrB_Type weights_type(const graph *g);
/* The tuples into g->A with their weights; of several between two vertices the lightest counts. Collective.
 */
GrB_Info weights_build(graph *g, int flags);
/* A whole number from 1 to 255 that depends on the two ends alone, in either order. Local. */
int32_t weights_draw(uint64_t a, uint64_t b);
#endif
