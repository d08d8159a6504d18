/* Checks of modularity and of communities that should have a large one (check_communities.c). */
#ifndef GRID_CHECK_COMMUNITIES_H
#define GRID_CHECK_COMMUNITIES_H
#include "bench/check/check_graph.h"

/* Returns the modularity of the partition community[v] < n by its definition, NaN if memory is short. The
 * graph is its directed edges, as they are listed. conductance (n numbers; NULL: not needed): NaN where a
 * community has no vertices. */
double check_modularity(const check_graph *g, const double *community, double resolution,
                        double *conductance);

/* NULL: community[v] is the smallest vertex of v's community. The modularity of the communities, each edge
 * counting both ways, is `modularity`, within `allowed`, and no less than that of single vertices. No two
 * communities joined have one that is larger by more than `allowed`. connected: instead of the last, the
 * vertices of each community are connected inside it. Else the error in text. */
const char *check_communities(const check_graph *g, const double *community, double modularity,
                              double resolution, double allowed, bool connected, char *text, size_t capacity);
#endif
