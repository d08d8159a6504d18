/* Checks of eccentricities (check_eccentricity.c). */
#ifndef GRID_CHECK_ECCENTRICITY_H
#define GRID_CHECK_ECCENTRICITY_H
#include "bench/check/check_graph.h"

/* NULL: eccentricity[v] is the largest distance of a vertex that v reaches in the undirected graph; radius
 * and diameter are the least and the largest of all. Else the difference in text. */
const char *check_eccentricity(const check_graph *g, const double *eccentricity, int64_t radius,
                               int64_t diameter, char *text, size_t capacity);
#endif
