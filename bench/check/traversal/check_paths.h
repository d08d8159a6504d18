/* Checks of shortest paths (check_paths.c). */
#ifndef GRID_CHECK_PATHS_H
#define GRID_CHECK_PATHS_H
#include "bench/check/check_graph.h"

/* Of one search, for n vertices. */
typedef struct {
  uint64_t *queue, *hops; /* hops: the edges of the path with this distance */
  bool *waiting;          /* in the queue, where a vertex is at most once */
} check_paths_work;

/* False: no memory. */
bool check_paths_allocate(check_paths_work *w, uint64_t n);
void check_paths_free(check_paths_work *w);
/* t = the distances from source by the weights of `out`, 1 where it has none; infinity: there is no path.
 * Returns true for a cycle of negative weight: a path then gets as many edges as there are vertices. */
bool check_paths_search(double *t, check_paths_work *w, const check_rows *out, uint64_t source);
/* Whether the last search found a path to v, of an infinite length perhaps. */
bool check_paths_reached(const check_paths_work *w, uint64_t source, uint64_t v);

/* NULL: distance[v] is the length of a shortest path from source by the weights of g (NaN: there is none),
 * with a relative tolerance of `allowed`; else the difference in text. parent (NULL: not checked) is a tree
 * of such paths. negative: whether the answer reports a cycle of negative weight; if there is one, nothing
 * else is checked. */
const char *check_paths(const check_graph *g, uint64_t source, const double *distance, const double *parent,
                        bool negative, double allowed, char *text, size_t capacity);
#endif
