/* Checks of closeness and harmonic centrality (check_closeness.c). */
#ifndef GRID_CHECK_CLOSENESS_H
#define GRID_CHECK_CLOSENESS_H
#include "bench/check/check_graph.h"

/* NULL: closeness[v] and harmonic[v] follow from the distances of the sources to v, within `allowed` relative
 * to each; else the difference in text. source NULL: all vertices. */
const char *check_closeness(const check_graph *g, const uint64_t *source, uint64_t nsources,
                            const double *closeness, const double *harmonic, double allowed, char *text,
                            size_t capacity);
#endif
