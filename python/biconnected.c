/* The biconnected components of an undirected graph by depth-first search (Hopcroft and Tarjan, 1973), in the
 * order of NetworkX's, for gridblas/nx/biconnected.py.
 *
 * The arcs of node k are heads[begin[k]..begin[k + 1]); parallel ones follow one another. ctypes calls this
 * function, which knows no objects of Python.
 */
#include <stdbool.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

typedef struct {
  const int64_t *begin, *heads;
  int64_t *discovery;    /* when each node is found; -1: not yet */
  int64_t *low;          /* the discovery of the first node that an arc from its subtree leads to */
  int64_t *first;        /* of the edges: the one that leads to it */
  int64_t *path, *next;  /* the nodes from the root on, and the next arc of each */
  int64_t *edges;        /* arcs of components that are not complete */
  int64_t depth, number; /* of the path less 1, and of the edges */
  int64_t *arcs, *ends;  /* the result: the arcs of components, and where each ends */
  int64_t *articulation; /* points, in the order in which they are found */
  bool *is_articulation;
  int64_t time, listed, components, points;
} search;

EXPORT void find_biconnected(int64_t n, const int64_t *begin, const int64_t *heads, int64_t *room,
                             int64_t *edges, int64_t *arcs, int64_t *ends, int64_t *articulation,
                             bool *is_articulation, int64_t *counts);

static void push_node(search *s, int64_t node) {
  s->discovery[node] = s->low[node] = s->time++;
  s->path[++s->depth] = node;
  s->next[s->depth] = s->begin[node];
}

static void lower(search *s, int64_t node, int64_t discovery) {
  if (discovery < s->low[node]) s->low[node] = discovery;
}

/* An arc of the last node. That to its parent and parallel ones are left out, and edges from their other end.
 */
static void follow_arc(search *s, int64_t arc) {
  const int64_t node = s->path[s->depth], parent = s->path[s->depth > 0 ? s->depth - 1 : 0],
                head = s->heads[arc];
  if (head == parent || (arc > s->begin[node] && s->heads[arc - 1] == head)) return;
  if (s->discovery[head] > s->discovery[node]) return;
  if (s->discovery[head] >= 0)
    lower(s, node, s->discovery[head]);
  else
    s->first[head] = s->number, push_node(s, head);
  s->edges[s->number++] = arc;
}

static void add_point(search *s, int64_t node) {
  if (s->is_articulation[node]) return;
  s->is_articulation[node] = true;
  s->articulation[s->points++] = node;
}

/* The edges from the one to a node on are a component. */
static void close_component(search *s, int64_t node) {
  for (int64_t k = s->first[node]; k < s->number; k++) s->arcs[s->listed++] = s->edges[k];
  s->number = s->first[node];
  s->ends[s->components++] = s->listed;
}

static void search_from(search *s, int64_t root) {
  int64_t children = 0;
  s->depth = -1;
  push_node(s, root);
  while (s->depth >= 0) {
    const int64_t node = s->path[s->depth];
    if (s->next[s->depth] < s->begin[node + 1]) {
      follow_arc(s, s->next[s->depth]++);
      continue;
    }
    if (--s->depth < 0) break;
    const int64_t parent = s->path[s->depth];
    const bool is_root = s->depth == 0, is_cut = s->low[node] >= s->discovery[parent];
    if (is_root || is_cut) close_component(s, node);
    if (is_cut && !is_root) add_point(s, parent);
    lower(s, parent, s->low[node]);
    children += is_root;
  }
  if (children > 1) add_point(s, root);
}

/* arcs[ends[k - 1]..ends[k]) become the arcs of component k, articulation the articulation points, and counts
 * their numbers. room: 5 integers a node; edges, arcs: an integer an arc; ends, articulation: one a node.
 * is_articulation: all false. */
void find_biconnected(int64_t n, const int64_t *begin, const int64_t *heads, int64_t *room, int64_t *edges,
                      int64_t *arcs, int64_t *ends, int64_t *articulation, bool *is_articulation,
                      int64_t *counts) {
  search s = {.begin = begin,
              .heads = heads,
              .discovery = room,
              .low = room + n,
              .first = room + 2 * n,
              .path = room + 3 * n,
              .next = room + 4 * n,
              .edges = edges,
              .arcs = arcs,
              .ends = ends,
              .articulation = articulation,
              .is_articulation = is_articulation};
  for (int64_t k = 0; k < n; k++) s.discovery[k] = -1;
  for (int64_t k = 0; k < n; k++)
    if (s.discovery[k] < 0) search_from(&s, k);
  counts[0] = s.components, counts[1] = s.points;
}
