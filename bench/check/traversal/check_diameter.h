/* Check of a double sweep (check_diameter.c). */
#ifndef GRID_CHECK_DIAMETER_H
#define GRID_CHECK_DIAMETER_H
#include "bench/check/check_graph.h"

/* NULL: level holds the distances from the one vertex where it is 0, in source's component with edges both
 * ways. The largest is `diameter`. No vertex is farther from source, or from the vertex at that distance (the
 * smallest of several). Else what is wrong, in text. */
const char *check_diameter(const check_graph *g, uint64_t source, const double *level, int64_t diameter,
                           char *text, size_t capacity);
#endif
