/* Connected components, shortest paths and betweenness like the GAP benchmark suite, as plain loops over
 * lists of neighbours. They are written from its description (Beamer, Asanović, Patterson, "The GAP Benchmark
 * Suite", 2015) and the papers that it cites: the limits of the rows algorithm.*. Triangles: gap_triangles.h;
 * PageRank: limits.c. All return false when out of memory. */
#ifndef GRID_GAP_H
#define GRID_GAP_H
#include "bench/ops/gap/gap_triangles.h"

/* label[v], alike for two vertices if a path joins them: Afforest (Sutton, Ben-Nun, Barak, 2018). */
bool gap_components(const lists *g, uint32_t *label);

/* distance[v], GAP_FAR if there is no path: delta-stepping (Meyer, Sanders, 2003) with thread-local buckets.
 * A thread continues alone while the bucket is small (Zhang et al., "Optimizing ordered graph algorithms with
 * GraphIt", 2020). weight: 1 or more, parallel to g->col. */
enum { GAP_FAR = INT32_MAX };
bool gap_paths(const lists *g, const int32_t *weight, uint64_t source, int32_t delta, int32_t *distance);

/* score[v] += the dependency of each source on v (Brandes, 2001), a search that marks the edges to children,
 * then back along those. */
bool gap_betweenness(const lists *g, const uint64_t *source, int sources, double *score);
#endif
