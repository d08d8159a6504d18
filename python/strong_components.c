/* The strong components of a directed graph by depth-first search (Tarjan, 1972), in the order of NetworkX's,
 * for gridblas/nx/components.py.
 *
 * The arcs of node k are heads[begin[k]..begin[k + 1]). ctypes calls this function, which knows no objects of
 * Python.
 */
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

typedef struct {
  const int64_t *begin, *heads;
  int64_t *preorder, *low;  /* of each node; preorder is -1 until it is found */
  int64_t *path, *next;     /* the nodes from the root on, and the next arc of each */
  int64_t *waiting, number; /* complete nodes whose component is not */
  int64_t *component;       /* of each node, -1 until it is known */
  int64_t *nodes;           /* the result: those of each component follow one another */
  int64_t depth, time, listed, components;
} search;

EXPORT int64_t find_strong_components(int64_t n, const int64_t *begin, const int64_t *heads, int64_t *room,
                                      int64_t *component, int64_t *nodes);

static void push_node(search *s, int64_t node) {
  s->preorder[node] = s->time++;
  s->path[++s->depth] = node;
  s->next[s->depth] = s->begin[node];
}

/* The next neighbor of the last node that is not found yet, or -1. */
static int64_t next_neighbor(search *s) {
  const int64_t end = s->begin[s->path[s->depth] + 1];
  while (s->next[s->depth] < end) {
    const int64_t head = s->heads[s->next[s->depth]++];
    if (s->preorder[head] < 0) return head;
  }
  return -1;
}

/* The preorder number of the first node that a complete node leads to within its component. */
static int64_t find_low(const search *s, int64_t node) {
  int64_t low = s->preorder[node];
  for (int64_t arc = s->begin[node]; arc < s->begin[node + 1]; arc++) {
    const int64_t head = s->heads[arc];
    if (s->component[head] >= 0) continue;
    const int64_t other = s->preorder[head] > s->preorder[node] ? s->low[head] : s->preorder[head];
    if (other < low) low = other;
  }
  return low;
}

static void add_node(search *s, int64_t node) {
  s->component[node] = s->components;
  s->nodes[s->listed++] = node;
}

/* A node's subtree is complete. */
static void complete_node(search *s, int64_t node) {
  s->low[node] = find_low(s, node);
  if (s->low[node] < s->preorder[node]) {
    s->waiting[s->number++] = node;
    return;
  }
  add_node(s, node);
  while (s->number > 0 && s->preorder[s->waiting[s->number - 1]] > s->preorder[node])
    add_node(s, s->waiting[--s->number]);
  s->components++;
}

static void search_from(search *s, int64_t root) {
  s->depth = -1;
  push_node(s, root);
  while (s->depth >= 0) {
    const int64_t neighbor = next_neighbor(s);
    if (neighbor >= 0)
      push_node(s, neighbor);
    else
      complete_node(s, s->path[s->depth--]);
  }
}

/* component[k] becomes the number of node k's component, nodes all nodes by component. room: 5 integers a
 * node. Returns how many components there are. */
int64_t find_strong_components(int64_t n, const int64_t *begin, const int64_t *heads, int64_t *room,
                               int64_t *component, int64_t *nodes) {
  search s = {.begin = begin,
              .heads = heads,
              .preorder = room,
              .low = room + n,
              .path = room + 2 * n,
              .next = room + 3 * n,
              .waiting = room + 4 * n,
              .component = component,
              .nodes = nodes};
  for (int64_t k = 0; k < n; k++) s.preorder[k] = component[k] = -1;
  for (int64_t k = 0; k < n; k++)
    if (s.preorder[k] < 0) search_from(&s, k);
  return s.components;
}
