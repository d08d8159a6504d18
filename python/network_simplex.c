/* Flows of least cost by the network simplex method (Kiraly and Kovacs, Acta Universitatis Sapientiae,
 * Informatica 4, 2012) in NetworkX's pivots, for gridblas/nx/costs.py: of several flows the same is found.
 *
 * Edges are those of the graph and, from `edges` on, one for each node to or from the root, which is node n.
 * The nodes of a tree are threaded in the order of a depth-first search.
 */
#include <stdbool.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

enum { NONE = -1 };

/* The same as in gridblas/nx/costs.py. */
typedef struct {
  int64_t n, edges, block; /* block: edges of which one may enter the tree */
  const int64_t *tails, *heads;
  const double *capacity, *cost;
  double *flow, *potential; /* of edges, of nodes */
  /* Of nodes: the tree's edge to the parent, the nodes below with the node itself, and the thread. */
  int64_t *parent, *parent_edge, *size, *next, *previous, *last;
  int64_t *cycle, *cycle_edges, *ancestors; /* of nodes: room */
  int64_t *state;
} network;

enum { FIRST, UNIMPROVED }; /* of state: the next block's first edge, blocks without one that enters */

EXPORT bool pivot(const network *t, int64_t steps);

/* ---- the tree ---- */

static void link_nodes(const network *t, int64_t before, int64_t after) {
  t->next[before] = after, t->previous[after] = before;
}

static int64_t apex(const network *t, int64_t p, int64_t q) {
  while (p != q) {
    const int64_t size_p = t->size[p], size_q = t->size[q];
    if (size_p <= size_q) p = t->parent[p];
    if (size_q <= size_p) q = t->parent[q];
  }
  return p;
}

/* Cuts the subtree of node u off from its parent. */
static void cut(const network *t, int64_t u) {
  const int64_t size = t->size[u], before = t->previous[u], last = t->last[u];
  int64_t above = t->parent[u];
  t->parent[u] = t->parent_edge[u] = NONE;
  link_nodes(t, before, t->next[last]);
  link_nodes(t, last, u);
  for (; above != NONE; above = t->parent[above]) {
    t->size[above] -= size;
    if (t->last[above] == last) t->last[above] = before;
  }
}

/* Node q becomes the parent of its parent p, which is a root. */
static void turn(const network *t, int64_t p, int64_t q) {
  const int64_t size_p = t->size[p], before = t->previous[q], last_q = t->last[q];
  int64_t last_p = t->last[p];
  t->parent[p] = q, t->parent[q] = NONE;
  t->parent_edge[p] = t->parent_edge[q], t->parent_edge[q] = NONE;
  t->size[p] = size_p - t->size[q], t->size[q] = size_p;
  link_nodes(t, before, t->next[last_q]);
  link_nodes(t, last_q, q);
  if (last_p == last_q) t->last[p] = last_p = before;
  link_nodes(t, last_q, p);
  link_nodes(t, last_p, q);
  t->last[q] = last_p;
}

static void make_root(const network *t, int64_t node) {
  int64_t count = 0;
  for (; node != NONE; node = t->parent[node]) t->ancestors[count++] = node;
  for (int64_t k = count - 1; k > 0; k--) turn(t, t->ancestors[k], t->ancestors[k - 1]);
}

/* The tree whose root is q becomes a subtree of p, by an edge. */
static void join(const network *t, int64_t edge, int64_t p, int64_t q) {
  const int64_t last_p = t->last[p], after = t->next[last_p], size = t->size[q], last_q = t->last[q];
  t->parent[q] = p, t->parent_edge[q] = edge;
  link_nodes(t, last_p, q);
  link_nodes(t, last_q, after);
  for (; p != NONE; p = t->parent[p]) {
    t->size[p] += size;
    if (t->last[p] == last_p) t->last[p] = last_q;
  }
}

static void add_potential(const network *t, int64_t edge, int64_t p, int64_t q) {
  const double cost = q == t->heads[edge] ? -t->cost[edge] : t->cost[edge];
  const double change = t->potential[p] + cost - t->potential[q];
  int64_t node = q;
  t->potential[node] += change;
  for (const int64_t last = t->last[q]; node != last;) {
    node = t->next[node];
    t->potential[node] += change;
  }
}

/* ---- pivots ---- */

static double reduced_cost(const network *t, int64_t edge) {
  const double c = t->cost[edge] - t->potential[t->tails[edge]] + t->potential[t->heads[edge]];
  return t->flow[edge] == 0 ? c : -c;
}

/* The edge of least reduced cost, below 0, in the next block that has one; NONE: there is none. */
static int64_t entering_edge(const network *t) {
  const int64_t blocks = (t->edges + t->block - 1) / t->block;
  for (; t->state[UNIMPROVED] < blocks; t->state[UNIMPROVED]++) {
    int64_t edge = t->state[FIRST], best = edge;
    double least = reduced_cost(t, best);
    for (int64_t k = 0; k < t->block; k++, edge = edge + 1 == t->edges ? 0 : edge + 1) {
      const double c = reduced_cost(t, edge);
      if (c < least) best = edge, least = c;
    }
    t->state[FIRST] = edge;
    if (!(least >= 0)) return t->state[UNIMPROVED] = 0, best;
  }
  return NONE;
}

/* The cycle that an edge closes, in its direction from p to q: from each node the edge to the next. Returns
 * how many there are. */
static int64_t find_cycle(const network *t, int64_t edge, int64_t p, int64_t q) {
  const int64_t top = apex(t, p, q);
  int64_t count = 0, below = 0;
  for (int64_t node = p; node != top; node = t->parent[node]) below++;
  t->cycle[below] = p;
  for (int64_t node = p; node != top; node = t->parent[node]) {
    t->cycle_edges[--below] = t->parent_edge[node];
    t->cycle[below] = t->parent[node];
    count++;
  }
  if (count != 1 || t->cycle_edges[0] != edge) t->cycle_edges[count++] = edge;
  int64_t at = count;
  for (int64_t node = q; node != top; node = t->parent[node]) {
    t->cycle[at] = node;
    t->cycle_edges[at++] = t->parent_edge[node];
  }
  return at;
}

/* What may be added to the flow of an edge away from a node. */
static double residual(const network *t, int64_t edge, int64_t node) {
  return t->tails[edge] == node ? t->capacity[edge] - t->flow[edge] : t->flow[edge];
}

/* The last position in the cycle of the least residual capacity. */
static int64_t leaving_position(const network *t, int64_t count) {
  int64_t best = -1;
  double least = 0;
  for (int64_t k = count - 1; k >= 0; k--) {
    const double r = residual(t, t->cycle_edges[k], t->cycle[k]);
    if (best < 0 || r < least) best = k, least = r;
  }
  return best;
}

static void augment(const network *t, int64_t count, double amount) {
  for (int64_t k = 0; k < count; k++) {
    const int64_t edge = t->cycle_edges[k];
    t->flow[edge] += t->tails[edge] == t->cycle[k] ? amount : -amount;
  }
}

static int64_t position(const network *t, int64_t edge) {
  int64_t k = 0;
  while (t->cycle_edges[k] != edge) k++;
  return k;
}

static void replace(const network *t, int64_t entering, int64_t p, int64_t q, int64_t at) {
  const int64_t leaving = t->cycle_edges[at], from = t->cycle[at];
  const int64_t to = t->tails[leaving] == from ? t->heads[leaving] : t->tails[leaving];
  const bool before = position(t, entering) > position(t, leaving);
  cut(t, t->parent[to] == from ? to : from);
  const int64_t above = before ? q : p, below = before ? p : q;
  make_root(t, below);
  join(t, entering, above, below);
  add_potential(t, entering, above, below);
}

/* Changes the flow until it costs least, or so many steps are taken; returns whether it does. */
bool pivot(const network *t, int64_t steps) {
  for (; steps > 0; steps -= t->block) {
    const int64_t edge = entering_edge(t);
    if (edge == NONE) return true;
    const bool ahead = t->flow[edge] == 0;
    const int64_t p = ahead ? t->tails[edge] : t->heads[edge], q = ahead ? t->heads[edge] : t->tails[edge];
    const int64_t count = find_cycle(t, edge, p, q), at = leaving_position(t, count);
    const int64_t from =
        count > 1 ? t->cycle[at] : p; /* one: sums of costs were rounded, and the tree has it */
    augment(t, count, residual(t, t->cycle_edges[at], from));
    if (t->cycle_edges[at] != edge) replace(t, edge, p, q, at);
    steps -= count;
  }
  return false;
}
