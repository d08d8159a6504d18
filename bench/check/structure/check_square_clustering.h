/* Checks of square clustering (check_square_clustering.c). */
#ifndef GRID_CHECK_SQUARE_CLUSTERING_H
#define GRID_CHECK_SQUARE_CLUSTERING_H
#include "bench/check/check_graph.h"

/* NULL: coefficient[v] is that of every vertex v. Else the error in text. Edges count in both directions and
 * once, loops do not. */
const char *check_square_clustering(const check_graph *g, const double *coefficient, char *text,
                                    size_t capacity);
#endif
