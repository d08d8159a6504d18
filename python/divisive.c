/* Removal of the edges with the largest betweenness (Girvan and Newman, PNAS 99, 2002), for
 * gridblas/nx/divisive.py. The shares of paths are added up in NetworkX's order, so that of several edges
 * with nearly the same betweenness the same one is removed. Only components that changed are searched again.
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/* Arcs of node k: heads[begin[k]..end[k]), edge e in both directions. The same as in gridblas/nx/divisive.py.
 */
typedef struct {
  int64_t n, edges; /* edges: how many there were at first */
  double scale;     /* of the sum of shares */
  const int64_t *begin;
  int64_t *end, *heads, *edge; /* of nodes, of arcs, and of arcs */
  const int64_t *tails;        /* of edges */
  const int64_t *edge_heads;   /* of edges */
  double *shares;              /* of edges: the sum; below 0: it is removed */
  int64_t *first, *sources;    /* of nodes: the first of its component; the nodes to search from */
  int64_t *found, *level;      /* of nodes: those of a search, and their levels; -1 */
  double *paths, *delta;       /* of nodes: shortest paths to it, and the shares of those behind it */
  int64_t *state;
} division;

enum { SOURCES, NEXT, LEFT }; /* of state: how many sources, the next one, edges that are left */

EXPORT bool remove_central_edges(const division *d, int64_t steps);

/* The nodes in the order of a breadth-first search; returns how many. Their levels are set. */
static int64_t search(const division *d, int64_t source) {
  int64_t count = 1;
  d->found[0] = source, d->level[source] = 0;
  d->paths[source] = 1, d->delta[source] = 0;
  for (int64_t k = 0; k < count; k++) {
    const int64_t node = d->found[k];
    for (int64_t arc = d->begin[node]; arc < d->end[node]; arc++) {
      const int64_t head = d->heads[arc];
      if (d->level[head] < 0) {
        d->level[head] = d->level[node] + 1;
        d->paths[head] = d->delta[head] = 0;
        d->found[count++] = head;
      }
      if (d->level[head] == d->level[node] + 1) d->paths[head] += d->paths[node];
    }
  }
  return count;
}

static void forget(const division *d, int64_t count) {
  for (int64_t k = 0; k < count; k++) d->level[d->found[k]] = -1;
}

/* Adds the shares of the shortest paths from a node; returns how many nodes are reached. */
static int64_t add_shares(const division *d, int64_t source) {
  const int64_t count = search(d, source);
  for (int64_t k = count - 1; k > 0; k--) {
    const int64_t node = d->found[k];
    const double share = (1 + d->delta[node]) / d->paths[node];
    for (int64_t arc = d->begin[node]; arc < d->end[node]; arc++) {
      const int64_t before = d->heads[arc];
      if (d->level[before] != d->level[node] - 1) continue;
      const double c = d->paths[before] * share;
      d->shares[d->edge[arc]] += c;
      d->delta[before] += c;
    }
  }
  forget(d, count);
  return count;
}

static void remove_arc(const division *d, int64_t node, int64_t edge) {
  int64_t arc = d->begin[node];
  while (d->edge[arc] != edge) arc++;
  const size_t bytes = (size_t)(d->end[node] - arc - 1) * sizeof(int64_t);
  memmove(d->heads + arc, d->heads + arc + 1, bytes);
  memmove(d->edge + arc, d->edge + arc + 1, bytes);
  d->end[node]--;
}

static int64_t most_central(const division *d) {
  int64_t best = -1;
  double most = -1;
  for (int64_t e = 0; e < d->edges; e++)
    if (d->shares[e] >= 0 && d->shares[e] * d->scale > most) best = e, most = d->shares[e] * d->scale;
  return best;
}

/* The component of a node gets the number of its first one. Returns whether another node is in it. */
static bool name_component(const division *d, int64_t node, int64_t other) {
  const int64_t count = search(d, node);
  const bool both = d->level[other] >= 0;
  int64_t first = node;
  for (int64_t k = 0; k < count; k++)
    if (d->found[k] < first) first = d->found[k];
  for (int64_t k = 0; k < count; k++) d->first[d->found[k]] = first;
  forget(d, count);
  return both;
}

/* The nodes whose component changed, in ascending order; the shares of their edges become 0. */
static void take_sources(const division *d, int64_t first, int64_t second) {
  int64_t count = 0;
  for (int64_t k = 0; k < d->n; k++) {
    if (d->first[k] != first && d->first[k] != second) continue;
    d->sources[count++] = k;
    for (int64_t arc = d->begin[k]; arc < d->end[k]; arc++) d->shares[d->edge[arc]] = 0;
  }
  d->state[SOURCES] = count, d->state[NEXT] = 0;
}

/* Removes edges until there is another component, or so many steps are taken; returns whether there is. */
bool remove_central_edges(const division *d, int64_t steps) {
  while (steps > 0) {
    while (d->state[NEXT] < d->state[SOURCES] && steps > 0)
      steps -= add_shares(d, d->sources[d->state[NEXT]++]);
    if (d->state[NEXT] < d->state[SOURCES]) break;
    const int64_t e = most_central(d), u = d->tails[e], v = d->edge_heads[e];
    d->shares[e] = -1, d->state[LEFT]--;
    remove_arc(d, u, e), remove_arc(d, v, e);
    const bool joined = name_component(d, u, v);
    if (!joined) name_component(d, v, u);
    take_sources(d, d->first[u], d->first[v]);
    if (!joined) return true;
  }
  return false;
}
