/* Searches of a graph in the order of NetworkX's, for gridblas/nx/order.py: its paths, trees and dictionaries
 * depend on which of several nodes is found first.
 *
 * The arcs of node k are heads[begin[k]..begin[k + 1]). A search lists the nodes in the order in which it
 * finds them. found[k] is a node, before[k] < k the position of the node that it is found from, or -1. The
 * first `sources` nodes of found are given. ctypes calls these functions, which know no objects of Python.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

typedef struct {
  int64_t node, order;
  double distance;
} item;

/* A heap of nodes by their distance; at the same distance the one whose distance was set first comes first.
 */
typedef struct {
  item *items;
  int64_t *heap_index; /* of each node in items */
  int64_t count, pushed;
} heap;

enum { CHILDREN = 4 }; /* of an item: half as many levels as with two */

EXPORT int64_t breadth_first(const int64_t *begin, const int64_t *heads, int64_t sources, double limit,
                             bool *visited, int64_t *found, int64_t *before, int64_t *level);
EXPORT int64_t labeled_search(const int64_t *begin, const int64_t *heads, int64_t sources, bool directed,
                              int64_t *depth, bool *done, int64_t *found, int64_t *tail, int64_t *head,
                              int64_t *kind);
EXPORT int64_t dijkstra(const int64_t *begin, const int64_t *heads, const double *lengths, int64_t sources,
                        double limit, int64_t target, double *distance, int64_t *position, item *items,
                        int64_t *heap_index, int64_t *found, int64_t *before, int64_t *pushed);
EXPORT void nodes_before(const int64_t *begin, const int64_t *heads, const double *lengths, int64_t count,
                         double limit, const double *distance, const int64_t *position, const int64_t *found,
                         int64_t *last, int64_t *ends, int64_t *before);
EXPORT int64_t kruskal(int64_t count, const int64_t *pairs, const int64_t *order, int64_t *parent,
                       int64_t *kept);
EXPORT void longest_paths(int64_t n, const int64_t *begin, const int64_t *tails, const double *lengths,
                          const int64_t *order, double *distance, int64_t *before);
EXPORT void join_ends(int64_t n, const int64_t *begin, const int64_t *heads, int64_t *first);
EXPORT int64_t item_bytes(void);
EXPORT void transpose_arcs(int64_t n, const int64_t *begin, const int64_t *heads, int64_t *into,
                           int64_t *tails, int64_t *arcs);
EXPORT void redundant_arcs(int64_t n, const int64_t *begin, const int64_t *heads, const int64_t *order,
                           uint64_t *reached, bool *redundant);

/* Nodes by the number of arcs from the sources, level[k] for found[k], up to a limit; returns how many.
 * visited: all false. */
int64_t breadth_first(const int64_t *begin, const int64_t *heads, int64_t sources, double limit,
                      bool *visited, int64_t *found, int64_t *before, int64_t *level) {
  int64_t count = sources;
  for (int64_t k = 0; k < sources; k++) visited[found[k]] = true, before[k] = -1, level[k] = 0;
  for (int64_t k = 0; k < count && (double)level[k] < limit; k++)
    for (int64_t arc = begin[found[k]]; arc < begin[found[k] + 1]; arc++) {
      int64_t head = heads[arc];
      if (visited[head]) continue;
      visited[head] = true;
      found[count] = head, before[count] = k, level[count] = level[k] + 1;
      count++;
    }
  return count;
}

enum { TREE, LEVEL, FORWARD, REVERSE, UNLISTED }; /* kinds of arcs */

static int kind_of(int64_t from, int64_t to, bool directed, bool done) {
  if (to < 0) return TREE;
  if (from == to) return directed || !done ? LEVEL : UNLISTED;
  if (from < to) return FORWARD;
  return directed ? REVERSE : UNLISTED;
}

/* The arcs of a breadth-first search as they are met, with their kinds; returns how many. An undirected edge
 * is met twice and listed once. depth: all -1; done: all false. */
int64_t labeled_search(const int64_t *begin, const int64_t *heads, int64_t sources, bool directed,
                       int64_t *depth, bool *done, int64_t *found, int64_t *tail, int64_t *head,
                       int64_t *kind) {
  int64_t count = sources, listed = 0;
  for (int64_t k = 0; k < sources; k++) depth[found[k]] = 0;
  for (int64_t k = 0; k < count; k++) {
    const int64_t node = found[k];
    for (int64_t arc = begin[node]; arc < begin[node + 1]; arc++) {
      const int64_t to = heads[arc];
      const int of = kind_of(depth[node], depth[to], directed, done[to]);
      if (of == UNLISTED) continue;
      if (of == TREE) depth[to] = depth[node] + 1, found[count++] = to;
      tail[listed] = node, head[listed] = to, kind[listed++] = of;
    }
    done[node] = true;
  }
  return listed;
}

int64_t item_bytes(void) {
  return sizeof(item);
}

static bool is_before(const item *a, const item *b) {
  return (a->distance < b->distance) | ((a->distance == b->distance) & (a->order < b->order)); /* no branch */
}

static void set_item(heap *h, int64_t at, item x) {
  h->items[at] = x;
  h->heap_index[x.node] = at;
}

/* A node gets a smaller distance; at: its heap_index, or the end. */
static void decrease_distance(heap *h, int64_t at, int64_t node, double distance) {
  item new = {node, h->pushed++, distance};
  if (at == h->count) h->count++;
  for (int64_t parent; at > 0 && is_before(&new, &h->items[parent = (at - 1) / CHILDREN]); at = parent)
    set_item(h, at, h->items[parent]);
  set_item(h, at, new);
}

static int64_t least_child(const heap *h, int64_t at) {
  int64_t least = CHILDREN * at + 1, end = least + CHILDREN < h->count ? least + CHILDREN : h->count;
  for (int64_t child = least + 1; child < end; child++)
    least = is_before(&h->items[child], &h->items[least]) ? child : least;
  return least;
}

static item pop(heap *h) {
  item least = h->items[0], last = h->items[--h->count];
  int64_t at = 0;
  for (int64_t child; (child = least_child(h, at)) < h->count; at = child) {
    if (!is_before(&h->items[child], &last)) break;
    set_item(h, at, h->items[child]);
  }
  set_item(h, at, last);
  return least;
}

/* Nodes by their distance from the sources, as Dijkstra's method takes them, up to a limit, or to a target
 * (-1: none). Returns how many, or -1 where a length below 0 leads to a node that was found before.
 * distance[node]: NAN at first. position[node]: -1 at first, then -2 - the position of the node before it,
 * then its own. items, heap_index: room for an item and an integer a node. pushed becomes the nodes as they
 * are first put into the heap. */
int64_t dijkstra(const int64_t *begin, const int64_t *heads, const double *lengths, int64_t sources,
                 double limit, int64_t target, double *distance, int64_t *position, item *items,
                 int64_t *heap_index, int64_t *found, int64_t *before, int64_t *pushed) {
  heap h = {.items = items, .heap_index = heap_index};
  int64_t count = 0, known = sources;
  for (int64_t k = 0; k < sources; k++)
    decrease_distance(&h, k, pushed[k] = found[k], distance[found[k]] = 0);
  while (h.count > 0) {
    item next = pop(&h);
    int64_t node = next.node;
    before[count] = -2 - position[node];
    found[count] = node;
    position[node] = count++;
    if (node == target) break;
    for (int64_t arc = begin[node]; arc < begin[node + 1]; arc++) {
      int64_t head = heads[arc];
      double sum = next.distance + lengths[arc];
      if (sum >= distance[head] || sum > limit) continue;
      if (position[head] >= 0) return -1;
      bool new = isnan(distance[head]);
      if (new) pushed[known++] = head;
      position[head] = -2 - position[node];
      decrease_distance(&h, new ? h.count : heap_index[head], head, distance[head] = sum);
    }
  }
  return count;
}

/* For each of count nodes that a search has found all those before it on shortest paths, by their positions.
 * They are before[ends[k - 1]..ends[k]) for found[k], in the order of found, parallel edges once. ends: all
 * 0; last: an integer a node. */
void nodes_before(const int64_t *begin, const int64_t *heads, const double *lengths, int64_t count,
                  double limit, const double *distance, const int64_t *position, const int64_t *found,
                  int64_t *last, int64_t *ends, int64_t *before) {
  for (int fill = 0; fill < 2; fill++) {
    for (int64_t k = 0; k < count; k++) last[k] = -1;
    for (int64_t k = 0, sum = 0; fill && k < count; k++) { /* from numbers to where each node's begin */
      int64_t number = ends[k];
      ends[k] = sum;
      sum += number;
    }
    for (int64_t k = 0; k < count; k++)
      for (int64_t arc = begin[found[k]]; arc < begin[found[k] + 1]; arc++) {
        double sum = distance[found[k]] + lengths[arc];
        int64_t to = position[heads[arc]];
        if (to < 0 || sum != distance[heads[arc]] || sum > limit || last[to] == k) continue;
        last[to] = k;
        if (fill) before[ends[to]] = k;
        ends[to]++;
      }
  }
}

static int64_t root_of(int64_t *parent, int64_t node) {
  for (; parent[node] != node; node = parent[node]) parent[node] = parent[parent[node]];
  return node;
}

/* kept becomes those of the edges pairs[2 order[k]], pairs[2 order[k] + 1] that close no cycle with those
 * before them; returns how many. parent[node]: the node. */
int64_t kruskal(int64_t count, const int64_t *pairs, const int64_t *order, int64_t *parent, int64_t *kept) {
  int64_t number = 0;
  for (int64_t k = 0; k < count; k++) {
    int64_t u = root_of(parent, pairs[2 * order[k]]), v = root_of(parent, pairs[2 * order[k] + 1]);
    if (u == v) continue;
    parent[u > v ? u : v] = u > v ? v : u;
    kept[number++] = order[k];
  }
  return number;
}

/* first[k], k at first, becomes the least node that k is connected with, whatever the direction of arcs. */
void join_ends(int64_t n, const int64_t *begin, const int64_t *heads, int64_t *first) {
  for (int64_t k = 0; k < n; k++)
    for (int64_t arc = begin[k]; arc < begin[k + 1]; arc++) {
      const int64_t u = root_of(first, k), v = root_of(first, heads[arc]);
      first[u > v ? u : v] = u > v ? v : u;
    }
  for (int64_t k = 0; k < n; k++) first[k] = first[first[k]]; /* those before k are roots' numbers */
}

/* The arcs to node k are arcs[into[k]..into[k + 1]), from tails[...], in ascending order of both. */
void transpose_arcs(int64_t n, const int64_t *begin, const int64_t *heads, int64_t *into, int64_t *tails,
                    int64_t *arcs) {
  for (int64_t k = 0; k <= n; k++) into[k] = 0;
  for (int64_t arc = 0; arc < begin[n]; arc++) into[heads[arc]]++;
  for (int64_t k = 0, sum = 0; k <= n; k++) into[k] = sum += into[k]; /* the end of each node's arcs */
  for (int64_t k = n - 1; k >= 0; k--)
    for (int64_t arc = begin[k + 1] - 1; arc >= begin[k]; arc--) {
      const int64_t at = --into[heads[arc]];
      tails[at] = k, arcs[at] = arc;
    }
}

enum { WORDS = 8 }; /* of 64 nodes: as many targets are looked for at a time */

static bool has_bit(const uint64_t *row, int64_t bit) {
  return bit >= 0 && bit < 64 * WORDS && row[bit / 64] >> (bit % 64) & 1;
}

/* reached = the targets first, first + 1, ... that are reached from each node; the arcs to those that are
 * reached through another neighbor, too, are redundant. */
static void reach_targets(int64_t n, const int64_t *begin, const int64_t *heads, const int64_t *order,
                          int64_t first, uint64_t *reached, bool *redundant) {
  for (int64_t k = n - 1; k >= 0; k--) {
    uint64_t *row = reached + WORDS * order[k];
    const int64_t from = begin[order[k]], to = begin[order[k] + 1];
    for (int w = 0; w < WORDS; w++) row[w] = 0;
    for (int64_t arc = from; arc < to; arc++)
      for (int w = 0; w < WORDS; w++) row[w] |= reached[WORDS * heads[arc] + w];
    for (int64_t arc = from; arc < to; arc++) redundant[arc] |= has_bit(row, heads[arc] - first);
    for (int64_t arc = from; arc < to; arc++) {
      const int64_t bit = heads[arc] - first;
      if (bit >= 0 && bit < 64 * WORDS) row[bit / 64] |= (uint64_t)1 << (bit % 64);
    }
  }
}

/* redundant[arc], false at first, becomes whether a longer path leads to its head. order: the n nodes, each
 * after all with arcs to it. reached: room for WORDS words a node. */
void redundant_arcs(int64_t n, const int64_t *begin, const int64_t *heads, const int64_t *order,
                    uint64_t *reached, bool *redundant) {
  for (int64_t first = 0; first < n; first += 64 * WORDS)
    reach_targets(n, begin, heads, order, first, reached, redundant);
}

/* The length of the longest path to each node, at least 0, and the node before it there: the first of several
 * in the order of arcs, or the node itself. order: the n nodes, each after all with arcs to it; the arcs to
 * node k are those from tails[begin[k]..begin[k + 1]). */
void longest_paths(int64_t n, const int64_t *begin, const int64_t *tails, const double *lengths,
                   const int64_t *order, double *distance, int64_t *before) {
  for (int64_t k = 0; k < n; k++) {
    const int64_t node = order[k];
    double most = -INFINITY;
    distance[node] = 0, before[node] = node;
    for (int64_t arc = begin[node]; arc < begin[node + 1]; arc++) {
      const double sum = distance[tails[arc]] + lengths[arc];
      if (sum <= most) continue;
      most = sum;
      if (sum >= 0) distance[node] = sum, before[node] = tails[arc];
    }
  }
}
